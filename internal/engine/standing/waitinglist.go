package standing

import (
	"cmp"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Asking returns the memories of some kinds and spaces about which a person may be asked, the
// oldest first: Memory says of each whether one is. Where the policy asks about few, the others
// are not read.
func (w *Waiting) Asking(rd *trust.Reading, kinds []memory.Kind, spaces []string) iter.Seq2[*store.Item, error] {
	all := store.Query{Kinds: kinds, Spaces: spaces, Oldest: true}
	if w.strict() {
		return w.e.Store.List(rd, all)
	}
	var few []store.Query
	if by := among(kinds, memory.KindValue, memory.KindGoal, memory.KindDrive); len(by) > 0 {
		few = append(few, store.Query{Kinds: by, Spaces: spaces, Oldest: true})
	}
	if by := among(kinds, memory.KindNote); len(by) > 0 {
		few = append(few, store.Query{Kinds: by, Spaces: spaces, Oldest: true, Mark: index.TypeMark(trust.ConstraintType)})
	}
	all.Replaces = true
	few = append(few, all)
	return func(yield func(*store.Item, error) bool) {
		seen := make(map[memory.ID]bool)
		var found []*store.Item
		for _, q := range few {
			for it, err := range w.e.Store.List(rd, q) {
				if err != nil {
					yield(nil, err)
					return
				}
				if it.Record == nil || seen[it.Ref.ID] || bindsByApproval(it.Record) == "" &&
					len(it.Record.Header.Provenance.Supersedes) == 0 {
					continue
				}
				seen[it.Ref.ID] = true
				found = append(found, it)
			}
		}
		slices.SortStableFunc(found, oldestFirst)
		for _, it := range found {
			if !yield(it, nil) {
				return
			}
		}
	}
}

// oldestFirst orders records as lists do: those of one log by their places.
func oldestFirst(a, b *store.Item) int {
	if a.Record.Header.Space == b.Record.Header.Space && a.Store == b.Store {
		return cmp.Compare(a.Seq, b.Seq)
	}
	return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time())
}

// among returns those of some kinds that are asked for; none asked for is all.
func among(asked []memory.Kind, some ...memory.Kind) []memory.Kind {
	if len(asked) == 0 {
		return some
	}
	return slices.DeleteFunc(some, func(k memory.Kind) bool { return !slices.Contains(asked, k) })
}

// Unsure returns the memories of some kinds and spaces whose confidence is below a number of thousandths.
func (e *Standings) Unsure(
	rd *trust.Reading, kinds []memory.Kind, spaces []string, below int,
) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		for it, err := range e.Store.List(rd, store.Query{Kinds: kinds, Spaces: spaces, Below: below}) {
			if err != nil {
				yield(nil, core.Classify(err))
				return
			}
			if it.Record != nil && it.State.Confidence < memory.Confidence(below) && !yield(it, nil) {
				return
			}
		}
	}
}
