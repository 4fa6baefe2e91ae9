package memstore

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// severalKeepers stands for the keeper of a store that several have written to.
const severalKeepers = "*"

// keep notes who writes.
func (s *Store) keep(by string) {
	switch s.keys.KeptBy {
	case "":
		s.keys.KeptBy = by
	case by:
	default:
		if by != "" {
			s.keys.KeptBy = severalKeepers
		}
	}
}

// mayPurge refuses what no mark says of a record that is held.
func (s *Store) mayPurge(b store.Batch) error {
	for _, id := range b.Purge {
		e := s.byID[id]
		if e == nil {
			return fmt.Errorf("purge %s: it is not held", id.Short())
		}
		said := false
		for _, r := range b.Records {
			said = said || saysPurge(r, id)
		}
		for _, edge := range s.pointing[id] {
			said = said || saysPurge(s.byID[edge.From].rec, id)
		}
		if !said {
			return fmt.Errorf("purge %s: no mark says so", id.Short())
		}
	}
	return nil
}

func saysPurge(r *memory.Record, id memory.ID) bool {
	m, ok := r.Body.(*memory.Mark)
	if !ok || m.Verb != memory.Purge {
		return false
	}
	for _, ref := range m.Subjects() {
		if ref.ID == id {
			return true
		}
	}
	return false
}

// arrived tells where a record stands. It is asked under the lock.
func (s *Store) arrived(id memory.ID) (memory.Arrival, bool) {
	e := s.byID[id]
	if e == nil {
		return memory.Arrival{}, false
	}
	return memory.Arrival{Space: e.rec.Header.Space, Seq: int64(e.seq), At: e.came}, true
}

// agrees tells whether a log once had a root. It is asked under the lock.
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

// Tree gives the tree over the log of a space.
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
	s.held = append(s.held, c)
	return ctx.Err()
}

// Held gives the checkpoints kept of a space.
func (s *Store) Held(ctx context.Context, space string) ([]store.Checkpoint, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Checkpoint
	for _, h := range s.held {
		if h.Space == space {
			out = append(out, h)
		}
	}
	return out, ctx.Err()
}

// Keyring gives a copy that asks under the lock.
func (s *Store) Keyring(ctx context.Context) (*memory.Keyring, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k := s.keys.Clone()
	k.Arrived = func(id memory.ID) (memory.Arrival, bool) {
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

// Kept gives the log of a space as it is kept.
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
