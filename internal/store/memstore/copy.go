package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

var _ store.Trier = (*Store)(nil)

// copyPage is how many records are copied at a time.
const copyPage = 1000

// Try runs do on a copy to which a batch was added.
func (s *Store) Try(ctx context.Context, b store.Batch, do func(context.Context, store.Store) error) error {
	c, err := CopyOf(ctx, s, s.now)
	if err != nil {
		return err
	}
	if _, err := c.Append(ctx, b); err != nil {
		return err
	}
	return do(ctx, c)
}

// CopyOf returns a copy of the records of a store, of its vectors and its notes.
func CopyOf(ctx context.Context, from store.Store, now func() time.Time) (*Store, error) {
	spaces, err := from.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	type placed struct {
		store.Kept
		space string
	}
	var all []placed
	for _, space := range spaces {
		for after := store.Seq(0); ; {
			page, err := from.Kept(ctx, space.Name, after, copyPage)
			if err != nil {
				return nil, err
			}
			for _, k := range page {
				all, after = append(all, placed{k, space.Name}), k.Seq
			}
			if len(page) < copyPage {
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.Came.UnixMilli(), b.Came.UnixMilli()) })
	c := Open(now)
	var records []*memory.Record
	for _, k := range all {
		r := &memory.Record{ID: k.Ref.ID, Header: memory.Header{Kind: k.Ref.Kind, Space: k.space}}
		if k.Bytes != nil {
			if r, err = memory.Decode(k.Bytes); err != nil {
				return nil, err
			}
			r.Sigs = k.Sigs
			records = append(records, r)
		}
		c.add(r, k.Came)
		if k.Bytes == nil {
			e := c.byID[k.Ref.ID]
			e.gone, e.state = true, &state.State{Purged: true}
		}
	}
	_, err = store.Refold(rows{c}, records, func(memory.ID) bool { return true }, nil, c.now())
	if err != nil {
		return nil, err
	}
	return c, c.copyBeside(ctx, from)
}

// copyBeside copies the notes. Vectors are copied when they are asked for.
func (s *Store) copyBeside(ctx context.Context, from store.Store) error {
	s.from = from
	names, err := from.NoteNames(ctx, "")
	if err != nil {
		return err
	}
	for _, name := range names {
		if s.notes[name], err = from.Note(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// bring copies the vectors of a model, once.
func (s *Store) bring(ctx context.Context, model string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil || s.vectors[model] != nil {
		return nil
	}
	all := make(map[memory.ID][]float32)
	for v, err := range s.from.Vectors(ctx, model) {
		if err != nil {
			return err
		}
		all[v.ID] = v.Vec
	}
	s.vectors[model] = all
	return nil
}
