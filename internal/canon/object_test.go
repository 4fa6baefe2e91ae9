package canon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestNamesAreInTheOrderOfUTF16(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	// The places where the orders of bytes and of code units part.
	chars := []rune{
		0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xEFFF, 0xF000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000,
		0x10FFFF,
	}
	name := func() string {
		name := make([]rune, random.IntN(4))
		for i := range name {
			name[i] = chars[random.IntN(len(chars))]
		}
		return string(name)
	}
	for range 20_000 {
		a, b := name(), name()
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		got := compareNames([]byte(a), []byte(b))
		if (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Fatalf("compareNames(%+q, %+q) = %d, want %d", a, b, got, want)
		}
	}
}

// However the members of nested objects come, they leave in the one order.
func TestShuffledMembers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const width = 3 * usualMembers // more than fits the first room
	object := func(order []int, value func(i int) string) string {
		parts := make([]string, len(order))
		for i, n := range order {
			parts[i] = fmt.Sprintf(`"%03d":%s`, n, value(n))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	sorted := make([]int, width)
	for i := range sorted {
		sorted[i] = i
	}
	leaf := func(i int) string { return fmt.Sprint(i) }
	want := object(sorted, func(int) string { return object(sorted[:5], leaf) })
	for range 50 {
		in := object(random.Perm(width), func(int) string { return object(random.Perm(5), leaf) })
		got, err := Transform([]byte(in))
		if err != nil || string(got) != want {
			t.Fatalf("Transform(%s) = %s, %v, want %s", in, got, err, want)
		}
	}
}
