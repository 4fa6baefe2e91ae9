package store

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// touched returns the keys whose voice a new record changes: it says something of
// them, or makes a log as long as a revocation says it was when the key was last
// believed.
func touched(r *memory.Record, ring *state.Keyring) []string {
	keys := ring.Touched(r)
	if at, held := ring.Arrival(r.ID); held {
		keys = append(keys, ring.Awaited(at.Space, at.Seq)...)
	}
	return keys
}

// named returns the keys that a record is about.
func named(r *memory.Record) []string {
	k, ok := r.Body.(*memory.Key)
	switch {
	case !ok:
		return nil
	case k.Previous != "":
		return []string{k.Key, k.Previous}
	}
	return []string{k.Key}
}

// keysChanged queues what keys spoke of whose voice changed, and so that of the
// keys that they said something of.
func (f *refold) keysChanged(ring *state.Keyring, todo []string) error {
	for ; len(todo) > 0; todo = todo[1:] {
		if f.asked[todo[0]] {
			continue
		}
		f.asked[todo[0]] = true
		more, err := f.wroteBy(todo[0])
		if err != nil {
			return err
		}
		todo = slices.Concat(todo, more, ring.Handed(todo[0]))
	}
	return nil
}

// wroteBy queues the records of a key, and returns the keys that it made claims about.
func (f *refold) wroteBy(did string) (about []string, err error) {
	wrote, err := f.rows.ByAuthor(did)
	if err != nil {
		return nil, err
	}
	for _, id := range wrote {
		w, err := f.rows.Record(id)
		if err != nil {
			return nil, err
		}
		if w == nil {
			continue
		}
		about = append(about, named(w)...)
		if err := f.again(w); err != nil {
			return nil, err
		}
	}
	return about, nil
}

// again queues a record whose claim changed, the records that it is about, and the revisions
// before and after it, which may have become rivals or ceased to be.
func (f *refold) again(w *memory.Record) error {
	f.want(w.ID)
	f.forked = append(f.forked, w.ID)
	for _, e := range graph.Edges(w) {
		if !slices.Contains(claimRels, e.Rel) {
			continue
		}
		f.want(e.To)
		if e.Rel == graph.Supersedes {
			f.forked = append(f.forked, e.To)
		}
	}
	if !w.Header.Kind.IsMemory() {
		return nil
	}
	if err := f.tellLinks(w); err != nil {
		return err
	}
	next, err := f.rows.Pointing(w.ID, graph.Supersedes)
	f.forked = append(f.forked, next...)
	return err
}
