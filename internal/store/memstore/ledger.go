package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// severalKeepers marks a store that several people have written to.
const severalKeepers = "*"

// keep notes who writes. If that changes whose store this is, it returns the keeper's claims,
// which hide and restore records that others' claims do not.
func (s *Store) keep(by string) (again []*memory.Record) {
	was := s.keys.KeptBy
	if by == "" || was == by || was == severalKeepers {
		return nil
	}
	who := was
	if s.keys.KeptBy = severalKeepers; was == "" {
		who, s.keys.KeptBy = by, by
	}
	for _, did := range s.keys.History(who) {
		for _, e := range s.log {
			if e.rec.Header.Author == did && (e.rec.Header.Kind == memory.KindMark || e.rec.Header.Kind == memory.KindKey) {
				again = append(again, e.rec)
			}
		}
	}
	return again
}

// mayPurge refuses to purge a held record without a mark that purges it.
func (s *Store) mayPurge(b store.Batch, fresh []*memory.Record) error {
	byID := make(map[memory.ID]*memory.Record)
	for _, r := range fresh {
		byID[r.ID] = r
	}
	for _, id := range b.Purge {
		if e := s.byID[id]; e != nil {
			byID[id] = e.rec
		}
		r := byID[id]
		switch {
		case r == nil:
			return fmt.Errorf("purge %s: it is not held", id.Short())
		case !store.MayGo(r):
			return fmt.Errorf("purge %s: a %s is not purged", id.Short(), r.Header.Kind)
		}
		said := false
		for _, m := range fresh {
			said = said || saysPurge(m, r.Ref())
		}
		for _, edge := range s.pointing[id] {
			said = said || saysPurge(s.byID[edge.From].rec, r.Ref())
		}
		if !said {
			return fmt.Errorf("purge %s: no mark says so", id.Short())
		}
	}
	return nil
}

// purge forgets all of records but that they were there.
func (s *Store) purge(ids []memory.ID, now time.Time, tell func([]*memory.Record)) error {
	var gone []*memory.Record
	for _, id := range ids {
		e := s.byID[id]
		if e.gone {
			continue
		}
		state := state.Initial(e.rec)
		if e.state != nil {
			state = *e.state
		}
		state.Purged = true
		e.state, e.gone = &state, true
		e.words.Store(nil)
		gone = append(gone, e.rec)
		delete(s.usage, id)
		for _, vectors := range s.vectors {
			delete(vectors, id)
		}
	}
	if len(gone) > 0 {
		s.notes[store.PurgesNote] = store.AfterPurge(s.notes[store.PurgesNote], gone)
		if tell != nil {
			tell(gone)
		}
	}
	return store.Unsay(rows{s}, gone, now)
}

func saysPurge(r *memory.Record, of memory.Ref) bool {
	m, ok := r.Body.(*memory.Mark)
	return ok && m.Verb == memory.Purge && slices.Contains(memory.Subjects(m), of)
}

// arrived returns the place of a record in its log. The caller holds the lock.
func (s *Store) arrived(id memory.ID) (state.Arrival, bool) {
	e := s.byID[id]
	if e == nil {
		return state.Arrival{}, false
	}
	return state.Arrival{Space: e.rec.Header.Space, Seq: int64(e.seq), At: e.came}, true
}

// agrees reports whether a log once had a root. It is asked under the lock.
func (s *Store) agrees(space string, size int64, root string) bool {
	log := s.inSpace[space]
	if size < 0 || size > int64(len(log)) {
		return false
	}
	var f ledger.Frontier
	for _, e := range log[:size] {
		f.Append(ledger.Hash(e.rec.ID))
	}
	return ledger.EncodeHash(f.Root()) == root
}

// Tree returns the tree over the log of a space.
func (s *Store) Tree(ctx context.Context, space string) (ledger.Frontier, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if f := s.trees[space]; f != nil {
		return *f, ctx.Err()
	}
	return ledger.Frontier{}, ctx.Err()
}

// Hold keeps a checkpoint.
func (s *Store) Hold(ctx context.Context, c store.Checkpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		if h.Space == c.Space && h.Size == c.Size && h.Root == c.Root && h.By == c.By {
			return ctx.Err()
		}
	}
	c.At = c.At.Truncate(time.Millisecond)
	s.held = append(s.held, c)
	return ctx.Err()
}

// Held returns the checkpoints kept of a space.
func (s *Store) Held(ctx context.Context, space string) ([]store.Checkpoint, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Checkpoint
	for _, h := range s.held {
		if h.Space == space {
			out = append(out, h)
		}
	}
	store.SortHeld(out)
	return out, ctx.Err()
}

// Keyring returns a copy that asks under the lock.
func (s *Store) Keyring(ctx context.Context) (*state.Keyring, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k := s.keys.Clone()
	k.Arrived = func(id memory.ID) (state.Arrival, bool) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return s.arrived(id)
	}
	k.Agrees = func(space string, size int64, root string) bool {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return s.agrees(space, size, root)
	}
	return k, ctx.Err()
}

// StoreName is the same for every store in memory: none outlives its process.
func (s *Store) StoreName(ctx context.Context) (string, error) { return "memory", ctx.Err() }

// Listed returns the entries of a space's log.
func (s *Store) Listed(ctx context.Context, space string, after store.Seq, limit int) ([]store.Listed, error) {
	kept, err := s.Kept(ctx, space, after, limit)
	out := make([]store.Listed, len(kept))
	for i, k := range kept {
		out[i] = store.Listed{Seq: k.Seq, Ref: k.Ref, Gone: k.Bytes == nil}
	}
	return out, err
}

// Kept returns the log of a space as it is kept.
func (s *Store) Kept(ctx context.Context, space string, after store.Seq, limit int) ([]store.Kept, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Kept
	for _, e := range s.inSpace[space] {
		if e.seq <= after || len(out) >= limit {
			continue
		}
		k := store.Kept{Seq: e.seq, Ref: e.rec.Ref(), Came: e.came}
		if !e.gone {
			k.Bytes, k.Sigs = e.rec.Bytes, e.rec.Sigs
		}
		out = append(out, k)
	}
	return out, ctx.Err()
}
