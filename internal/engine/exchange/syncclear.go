package exchange

import (
	"context"
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

func clearedNoteName(remote string) string { return "cleared/" + remote }

// clearFiles takes what was purged out of the files that this store once wrote for a
// remote. The log of each space is looked through once for the marks that purge: those
// that came from others too.
func (e *Exchange) clearFiles(ctx context.Context, remote string, files peer.Clears) error {
	s := e.First()
	old, err := s.Note(ctx, clearedNoteName(remote))
	if err != nil {
		return err
	}
	seen := make(map[string]store.Seq)
	if json.Unmarshal(old, &seen) != nil {
		clear(seen)
	}
	spaces, err := s.Spaces(ctx)
	if err != nil {
		return err
	}
	news := false
	for _, sp := range spaces {
		if seen[sp.Name] == sp.Last {
			continue
		}
		purges, err := purgesAfter(ctx, s, sp.Name, seen[sp.Name])
		if err != nil {
			return err
		}
		if purges {
			if _, err := files.Clear(
				ctx, sp.Name,
				func(ctx context.Context, ids []memory.ID) ([]memory.Ref, error) { return purgedOf(ctx, s, ids) },
			); err != nil {
				return err
			}
		}
		seen[sp.Name], news = sp.Last, true
	}
	if !news {
		return nil
	}
	now, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	return s.SwapNote(ctx, clearedNoteName(remote), old, now)
}

// purgesAfter reports whether a log has a purge mark after a place.
func purgesAfter(ctx context.Context, s store.Store, space string, after store.Seq) (bool, error) {
	const page = 1000
	for {
		kept, err := s.Kept(ctx, space, after, page)
		if err != nil || len(kept) == 0 {
			return false, err
		}
		var marks []memory.ID
		for _, k := range kept {
			if k.Ref.Kind == memory.KindMark {
				marks = append(marks, k.Ref.ID)
			}
		}
		items, err := s.Get(ctx, marks...)
		if err != nil {
			return false, err
		}
		for _, it := range items {
			if it == nil || it.Record == nil {
				continue
			}
			if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge {
				return true, nil
			}
		}
		after = kept[len(kept)-1].Seq
	}
}

// purgedOf returns those of some records whose words are not here any more.
func purgedOf(ctx context.Context, s store.Store, ids []memory.ID) ([]memory.Ref, error) {
	items, err := s.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var gone []memory.Ref
	for _, it := range items {
		if it != nil && it.Record == nil {
			gone = append(gone, it.Ref)
		}
	}
	return gone, nil
}
