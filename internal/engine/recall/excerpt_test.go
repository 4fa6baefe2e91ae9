package recall

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

func TestExcerpt(t *testing.T) {
	const filler = "Nothing of note was said here at all. "
	for _, tt := range []struct{ name, text, asked, want string }{
		{"short", "One line.\nAnd another.", "line", "One line."},
		{"short, and asked of the second line", "One line.\nAnd another.", "another", "One line. And another."},
		{"middle", strings.Repeat(filler, 5) + "The port is 8443 now. " + strings.Repeat(filler, 5), "which port",
			"… The port is 8443 now. Nothing of note was said here at all. …"},
		{"two places", "The gate has a code. " + strings.Repeat(filler, 6) + "The code is 4711. " + strings.Repeat(filler, 6),
			"gate code", "The gate has a code. Nothing of note was said here at all. …"},
		{"nothing asked is in it", strings.Repeat(filler, 6), "zebra",
			"Nothing of note was said here at all. …"},
	} {
		if got := excerpt(tt.text, words.Query(tt.asked), 80); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Whatever the text, an excerpt is one line, is short enough, and consists of words of the text.
func TestExcerptIsWithinItsBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"port", " ", ".", "? ", "。", "数据库", "\n", "é", "\xff", "longwordwithoutend", "gate ", "! ", "…"}
	for range 3000 {
		var b strings.Builder
		for range r.IntN(200) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		most := 20 + r.IntN(300)
		got := excerpt(b.String(), []string{"port", "gate"}, most)
		if n := utf8.RuneCountInString(got); n > most || strings.ContainsAny(got, "\n\r") || !utf8.ValidString(got) {
			t.Fatalf("%d characters, at most %d: %q of %q", n, most, got, b.String())
		}
	}
	if got := quoted(&memory.Raw{Text: strings.Repeat("a b ", 500), Speaker: "Ann"}, nil, 60); len([]rune(got)) > 60 ||
		!strings.HasPrefix(got, "Ann: a b") {
		t.Errorf("quoted: %q", got)
	}
}
