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

// The types of which a word names several, and the heading of a list of a type, follow from the forms of kinds.
func TestTypesByTheirWords(t *testing.T) {
	for word, want := range map[string][]string{
		"decisions": {"decision"}, "rules": {"constraint", "convention"}, "constraints": {"constraint"},
		"fixes": {"known_fix"}, "known_fixs": nil, "preferences": {"preference"}, "opinions": {"opinion"},
		"corrections": {"correction"}, "attempts": {"failed_attempt"}, "facts": {"fact"}, "decision": nil, "boats": nil,
	} {
		if got := typesOf()[word]; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%q are %v, want %v", word, got, want)
		}
	}
	note := func(typ string) *memory.Record {
		return &memory.Record{Header: memory.Header{Kind: memory.KindNote}, Body: &memory.Note{Type: typ}}
	}
	for _, typ := range memory.NoteTypes {
		if group := groupOf(note(typ)); !slices.Contains(typesOf()[group], typ) {
			t.Errorf("notes of the type %s are in the group %q, which no question asks for", typ, group)
		}
	}
	for want, r := range map[string]*memory.Record{
		"notes": note("other"), "constraints": note("constraint"), "fixes": note("known_fix"),
		"facts":    {Header: memory.Header{Kind: memory.KindBelief}, Body: &memory.Belief{Type: "other"}},
		"opinions": {Header: memory.Header{Kind: memory.KindBelief}, Body: &memory.Belief{Type: "opinion"}},
		"people":   {Header: memory.Header{Kind: memory.KindRelationship}, Body: &memory.Relationship{}},
		"captures": {Header: memory.Header{Kind: memory.KindRaw}, Body: &memory.Raw{}},
	} {
		if got := groupOf(r); got != want {
			t.Errorf("%s of the type %q is in the group %q, want %q", r.Header.Kind, r.Headline(), got, want)
		}
	}
}
