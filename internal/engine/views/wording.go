package views

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// textsOf gives the texts that say what a record says: its line, and its whole words
// where they are more than the line.
func TextsOf(r *memory.Record) []string {
	out := []string{r.Headline()}
	switch b := r.Body.(type) {
	case *memory.Raw:
		return []string{b.Said()}
	case *memory.Note:
		out = []string{b.Summary}
		if b.Body != "" {
			out = append(out, b.Body)
		}
	case *memory.Relationship:
		out = append(out, b.Description)
	case *memory.Value:
		out = append(out, b.Statement)
	}
	return out
}

// sayTheSame reports whether a text of one record folds to a text of the other.
func SayTheSame(a, b *memory.Record) bool {
	for _, one := range TextsOf(a) {
		for _, other := range TextsOf(b) {
			if words.Same(one, other) {
				return true
			}
		}
	}
	return false
}

// A made is a memory that was made of a raw, with its revisions.
type Made struct {
	core.Chain
	Cites bool // it cites the raw; otherwise a mark says that the raw said it again
}

// wordingOf reports whether raw is the wording of one of the memories that were made
// of it, of which there are n: they say the same, or raw is one sentence and this is
// all that was made of it, of nothing else. An episode, an observation and a
// conclusion tell of what was said; the words behind them are evidence, and stay as
// they are.
func WordingOf(raw *memory.Record, m Made, n int) bool {
	for _, it := range m.Chain {
		if it.Ref.Kind != memory.KindEpisode && SayTheSame(raw, it.Record) {
			return true
		}
	}
	first := m.First().Record
	if n != 1 || !m.Cites || first.Header.Kind == memory.KindEpisode || rawsBehind(first) != 1 || first.Header.Provenance.Via == memory.ViaConsolidate {
		return false
	}
	if note, ok := first.Body.(*memory.Note); ok && note.Type == core.DefaultNote {
		return false
	}
	b, ok := raw.Body.(*memory.Raw)
	return ok && extract.OneSentence(b.Said())
}

func rawsBehind(r *memory.Record) int {
	n := 0
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind == memory.KindRaw {
			n++
		}
	}
	return n
}

// oneLineKinds are the kinds of which two memories that say the same share a line.
// Two episodes of the same words are two things that happened.
var OneLineKinds = []memory.Kind{memory.KindBelief, memory.KindNote, memory.KindRelationship}

// sameMemory reports whether two memories say the same of the same time.
func SameMemory(a, b *store.Item) bool {
	x, y := &a.Record.Header, &b.Record.Header
	return x.Kind == y.Kind && slices.Contains(OneLineKinds, x.Kind) && typeWithin(a.Record) == typeWithin(b.Record) &&
		x.ValidFrom.Equal(y.ValidFrom.Time) && x.ValidUntil.Equal(y.ValidUntil.Time) &&
		words.Same(a.Record.Body.Words(), b.Record.Body.Words())
}

// typeWithin gives the type within a kind; "" where there is none.
func typeWithin(r *memory.Record) string {
	switch b := r.Body.(type) {
	case *memory.Note:
		return b.Type
	case *memory.Belief:
		return b.Type
	}
	return ""
}
