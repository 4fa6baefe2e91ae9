package trust

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// decides are the kinds of claims whose effect asks who may decide.
var decides = []memory.Kind{memory.KindMark, memory.KindLink, memory.KindAssess, memory.KindVerify, memory.KindKey}

// SaidOfOthers returns what a person and their agents said in a space of others' records, and of keys.
func (e *Scores) SaidOfOthers(
	rd *Reading, ring *state.Keyring, whose, space string,
) (out []*memory.Record, err error) {
	const page = 500
	var some []*memory.Record
	flush := func() error {
		var ids []memory.ID
		for _, r := range some {
			for _, ref := range r.Cites() {
				ids = append(ids, ref.ID)
			}
		}
		items, err := e.First().Get(rd, ids...)
		if err != nil {
			return core.Classify(err)
		}
		for _, r := range some {
			cited := items[:len(r.Cites())]
			items = items[len(cited):]
			if r.Header.Kind == memory.KindKey || slices.ContainsFunc(cited, func(it *store.Item) bool {
				return it == nil || it.Record == nil || ring.Voice(it.Record).Principal != whose
			}) {
				out = append(out, r)
			}
		}
		some = some[:0]
		return nil
	}
	q := store.Query{Spaces: []string{space}, Kinds: append(memory.Memories(), decides...), Hidden: true, Oldest: true}
	for it, err := range e.First().List(rd, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		r := it.Record
		if r == nil || r.Header.Kind.IsMemory() && len(r.Header.Provenance.Supersedes) == 0 ||
			ring.Voice(r).Principal != whose {
			continue
		}
		if some = append(some, r); len(some) == page {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return out, flush()
}

// Uncounted are the decisions of a person in a space that do not count: they no longer keep or own
// it, and these decisions had not reached the owner when that ended.
type Uncounted struct {
	Space string
	Refs  []memory.Ref
}

// Uncounted returns them for a person, for each space but those that are left out.
func (e *Scores) Uncounted(
	rd *Reading, ring *state.Keyring, whose string, but map[string]memory.Time,
) (out []Uncounted, err error) {
	for space, since := range ring.Former(whose) {
		if _, is := but[space]; is {
			continue
		}
		said, err := e.SaidOfOthers(rd, ring, whose, space)
		if err != nil {
			return nil, err
		}
		one := Uncounted{Space: space}
		for _, r := range said {
			v, k := ring.Voice(r), r.Header.Kind
			decision := k.IsMemory() || k == memory.KindMark || k == memory.KindAssess
			if decision && v.Owner && v.Keeps != space && !state.OwnsSpace(v, space, ring) &&
				!r.Header.At.Time().Before(since.Time()) {
				one.Refs = append(one.Refs, r.Ref())
			}
		}
		if len(one.Refs) > 0 {
			out = append(out, one)
		}
	}
	sorting.By(out, func(a, b Uncounted) int { return strings.Compare(a.Space, b.Space) })
	return out, nil
}
