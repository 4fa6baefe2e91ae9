package table

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A table finds each of its strings in their order, and no other.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	written := map[string]bool{}
	var words []string
	for len(words) < 3000 {
		b := make([]byte, 1+r.IntN(Longest))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(3))
		}
		if s := string(b[:1+r.IntN(min(len(b), 9))]) + string(b[:len(b)/2]); len(s) <= Longest && !written[s] {
			words = append(words, s)
			written[s] = true
		}
	}
	table, err := Build(words, 12)
	if err != nil {
		t.Fatal(err)
	}
	last := uint32(0)
	for _, s := range words {
		order := table.Order(s)
		if order == None || order <= last {
			t.Fatalf("Order(%q) = %d after %d", s, order, last)
		}
		last = order
		for _, other := range []string{s + "a", s[1:], s[:len(s)-1], s + s, "b" + s} {
			if got := table.Order(other); (got != None) != written[other] {
				t.Errorf("Order(%q) = %d, is it there: %v", other, got, written[other])
			}
		}
	}
	for _, s := range []string{"", "z", strings.Repeat("a", Longest+1)} {
		if got := table.Order(s); got != None {
			t.Errorf("Order(%q) = %d", s, got)
		}
	}
}

func TestBuildRefusesWhatDoesNotFit(t *testing.T) {
	for what, words := range map[string][]string{
		"an empty string": {"a", ""}, "a long string": {strings.Repeat("a", Longest+1)}, "one string twice": {"a", "b", "a"},
		"too many": strings.Split(strings.Repeat("a,b,c,d,", 200)+"e", ","),
	} {
		if _, err := Build(words, 2); err == nil {
			t.Errorf("%s fits", what)
		}
	}
}
