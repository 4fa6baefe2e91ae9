package recall

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A question has symbols where it has no words; how they are drawn does not matter.
func TestSymbolsOf(t *testing.T) {
	for query, want := range map[string][]string{
		"🎉": {"🎉"}, " 🎉  🚀": {"🎉", "🚀"}, "❤️": {"❤"}, "🎉 party": nil, "?": nil, "": nil, "+": nil, "→ !": {"→"},
	} {
		if got := symbolsOf(query, words.Query(query)); !slices.Equal(got, want) {
			t.Errorf("symbolsOf(%q) = %q, want %q", query, got, want)
		}
	}
	r := &memory.Record{Body: &memory.Note{Summary: "party 🎉 with ❤️"}}
	for want, symbols := range map[bool][]string{true: {"🎉", "❤"}, false: {"🎉", "🚀"}} {
		if got := saysAll(r, symbols); got != want {
			t.Errorf("saysAll(%q) = %v, want %v", symbols, got, want)
		}
	}
}

// Each kind of memory has a word for several of them, and no two kinds have the same.
func TestKindsByTheirWords(t *testing.T) {
	seen := make(map[string]memory.Kind)
	for _, k := range memory.Memories() {
		for _, word := range several(k) {
			if got, ok := kindOf(word); !ok || got != k || seen[word] != "" {
				t.Errorf("kindOf(%q) = %s, want %s", word, got, k)
			}
			seen[word] = k
		}
	}
}
