package recall

import (
	"errors"
	"io/fs"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// typedKinds are those of which what a person typed counts as approved by that.
var typedKinds = []memory.Kind{memory.KindValue, memory.KindGoal, memory.KindDrive}

// decidedBy returns what people approved, and the values, goals and drives that this person typed: all of it, by
// indexes, however much else there is. The tables find it; who asks rates each.
func (e *Finder) decidedBy(rd *trust.Reading, spaces []string) ([]*store.Item, error) {
	out, err := e.listed(rd, store.Query{Spaces: spaces, Kinds: core.Drafted(), Decided: true})
	if err != nil {
		return nil, err
	}
	typed, err := e.typedBy(rd, spaces, typedKinds)
	return append(out, typed...), err
}

// ownKeys returns the keys of who reads, nil where they have none: a reader makes none.
func (e *Finder) ownKeys() (*core.Self, error) {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return me, err
}

// typedBy returns what this person typed of some kinds.
func (e *Finder) typedBy(rd *trust.Reading, spaces []string, kinds []memory.Kind) ([]*store.Item, error) {
	me, err := e.ownKeys()
	if err != nil || me == nil {
		return nil, err
	}
	return e.listed(rd, store.Query{Spaces: spaces, Kinds: kinds, Author: me.Owner.DID()})
}

func (e *Finder) listed(rd *trust.Reading, q store.Query) ([]*store.Item, error) {
	var out []*store.Item
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil {
			out = append(out, it)
		}
	}
	return out, nil
}

// newest returns the newest of a kind that may be shown: so many of this person's and their agents' own, and what
// else is among as many of the newest. What strangers wrote and what was imported takes the place of none.
func (e *Finder) newest(rd *trust.Reading, spaces []string, kind memory.Kind, most int) ([]*store.Item, error) {
	me, err := e.ownKeys()
	if err != nil {
		return nil, err
	}
	var out []*store.Item
	own, passed := 0, 0
	take := func(q store.Query, enough func() bool) (ended bool, err error) {
		for it, err := range e.Store.List(rd, q) {
			if err != nil {
				return false, core.Classify(err)
			}
			if it.Record == nil {
				continue
			}
			out = append(out, it)
			switch {
			case imported(it):
				passed++
			case me != nil && mayShow(me, it):
				own++
			}
			if enough() {
				return false, nil
			}
		}
		return true, nil
	}
	q := store.Query{Kinds: []memory.Kind{kind}, Spaces: spaces, Few: most}
	ended, err := take(q, func() bool { return len(out) == most || passed == mostPassed })
	if err != nil || ended || me == nil || own == most {
		return out, err
	}
	q.Here = true
	if passed > 0 {
		own = 0
		looked := len(out) + most
		ended, err := take(q, func() bool { return own == most || len(out) == looked })
		if err != nil || ended || own == most {
			return out, err
		}
	}
	for _, key := range []string{me.Agent.DID(), me.Owner.DID()} { // strangers wrote most of it
		own, q.Author = 0, key
		looked := len(out) + most
		if _, err := take(q, func() bool { return own == most || len(out) == looked }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mostPassed is how many imports are passed over before a list without them is asked for.
const mostPassed = 16

// mayShow reports whether a start may show a memory that no person approved.
func mayShow(me *core.Self, it *store.Item) bool {
	h := &it.Record.Header
	return (h.Author == me.Agent.DID() || h.Author == me.Owner.DID()) && !imported(it)
}

// imported reports whether a memory was imported, or is of what a tool printed.
func imported(it *store.Item) bool {
	return core.Elsewhere(it.Record)
}
