package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// linksAtOnce is how many links are looked at together.
const linksAtOnce = 200

// EachLink calls do with each link of the spaces that are read, the oldest first, until do
// returns false. Of open links that say the same of the same two memories it takes one.
func (e *Standings) EachLink(rd *trust.Reading, hidden bool, do func(api.LinkView) bool) error {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	var page []*store.Item
	said := make(Repeats)
	flush := func() (bool, error) {
		shown, err := e.LinkViews(rd, page)
		page = page[:0]
		rd.Drop()
		for _, v := range shown {
			if v.State == linkRejected && !hidden {
				continue
			}
			if (v.State == LinkOpen || v.State == LinkProposed) && said.Again(&v) {
				continue
			}
			if !do(v) {
				return false, err
			}
		}
		return true, err
	}
	each := func(spaces []string, hidden bool, take func(*store.Item) bool) (bool, error) {
		q := store.Query{Kinds: []memory.Kind{memory.KindLink}, Spaces: spaces, Hidden: hidden, Oldest: true}
		for it, err := range e.Store.List(rd, q) {
			if err != nil {
				return false, core.Classify(err)
			}
			if it.Record == nil || !take(it) {
				continue
			}
			if page = append(page, it); len(page) == linksAtOnce {
				if more, err := flush(); err != nil || !more {
					return false, err
				}
			}
		}
		return flush()
	}
	more, err := each(spaces, hidden, func(*store.Item) bool { return true })
	if err != nil || !more || hidden {
		return err
	}
	// people may have dismissed one link and decided it in two ways
	shared, err := e.Shared(rd)
	if err != nil {
		return err
	}
	spaces = slices.DeleteFunc(slices.Clone(spaces), func(s string) bool { return !shared[s] })
	if len(spaces) > 0 {
		_, err = each(spaces, true, func(it *store.Item) bool { return it.State.Review == state.ReviewRejected })
	}
	return err
}

// Repeats remembers what open links said of which two memories.
type Repeats map[[3]string]bool

// Again reports whether a link said the same before.
func (s Repeats) Again(l *api.LinkView) bool {
	key := [3]string{l.Relation, l.Old.Ref, l.New.Ref}
	if l.Relation == memory.Contradict && key[1] > key[2] {
		key[1], key[2] = key[2], key[1] // of two that contradict each other none is first
	}
	was := s[key]
	s[key] = true
	return was
}
