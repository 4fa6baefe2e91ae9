package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A full-text index costs a capture of one record more than all else together,
// and little more for sixty. So the words of the newest few records of a space
// may wait: the next that is one too many indexes all of them, and so does a
// search, which misses nothing.

// A backlog is the records of a space whose words wait to be indexed.
type backlog struct {
	space         int
	indexed, last int64
}

// indexBacklog puts the words of the records after one place and up to another
// into the index.
func indexBacklog(ctx context.Context, on *session, space int, after, upTo int64) error {
	if upTo <= after {
		return nil
	}
	rows := pile{into: on.d.Words, row: on.d.WordsRow}
	var terms []byte
	err := on.each(ctx, func(r *sql.Rows) error {
		var key int64
		var raw []byte
		if err := r.Scan(&key, &raw); err != nil {
			return err
		}
		rec, err := memory.Load(raw)
		if err != nil {
			return fmt.Errorf("%w: %w", store.ErrDamaged, err)
		}
		if terms = words.AppendTerms(terms[:0], rec.Words()); len(terms) > 0 {
			rows.add(key, on.d.Terms(terms))
		}
		return nil
	}, "SELECT key, bytes FROM payloads WHERE key > ? AND key <= ?", firstKey(space)+after, firstKey(space)+upTo)
	if err != nil {
		return err
	}
	return rows.flush(ctx, on)
}

// waiting gives the backlogs there are.
func waiting(ctx context.Context, on *session) (all []backlog, err error) {
	err = on.each(ctx, func(r *sql.Rows) error {
		var b backlog
		err := r.Scan(&b.space, &b.indexed, &b.last)
		all = append(all, b)
		return err
	}, "SELECT no, indexed, last FROM spaces WHERE indexed < last")
	return all, err
}

// catchUp indexes what waits. Where it cannot, because nothing can be written
// here or somebody else writes for long, it gives what still waits.
func (s *Store) catchUp(ctx context.Context) ([]backlog, error) {
	all, err := waiting(ctx, s.read)
	if err != nil || len(all) == 0 || s.readOnly {
		return all, err
	}
	err = s.change(ctx, "index words in", func(ctx context.Context, w *session) error {
		all, err := waiting(ctx, w) // another may have been faster
		if err != nil {
			return err
		}
		for _, b := range all {
			if err := indexBacklog(ctx, w, b.space, b.indexed, b.last); err != nil {
				return err
			}
			if err := w.exec(ctx, "UPDATE spaces SET indexed = ? WHERE no = ?", b.last, b.space); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return nil, nil
	}
	return all, ctx.Err()
}

// withWaiting adds to hits the records that wait and hold one of the terms, each
// scored by how many it holds, against the best of the hits.
func (s *Store) withWaiting(ctx context.Context, m store.Match, terms []string, hits []store.Hit, all []backlog, limit int) ([]store.Hit, error) {
	best := 1.0
	if len(hits) > 0 {
		best = hits[0].Score
	}
	spaces, err := s.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	for _, sp := range spaces {
		no, err := s.names.number(ctx, s.read, spaceList, sp.Name)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(b backlog) bool { return b.space == no })
		if i < 0 || len(m.Spaces) > 0 && !slices.Contains(m.Spaces, sp.Name) {
			continue
		}
		log, err := s.Since(ctx, sp.Name, store.Seq(all[i].indexed), int(all[i].last-all[i].indexed))
		if err != nil {
			return nil, err
		}
		for _, c := range log {
			items, err := s.Get(ctx, c.ID)
			if err != nil {
				return nil, err
			}
			if n := held(items[0], m, terms); n > 0 {
				hits = append(hits, store.Hit{ID: c.ID, Score: best * float64(n) / float64(len(terms))})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b store.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return hits[:min(limit, len(hits))], nil
}

// held counts the terms that a record holds, 0 where it is not looked for.
func held(it *store.Item, m store.Match, terms []string) (n int) {
	if it == nil || it.Record == nil || !m.Hidden && !it.State.Live() {
		return 0
	}
	kind := it.Ref.Kind
	if len(m.Kinds) > 0 && !slices.Contains(m.Kinds, kind) || len(m.Kinds) == 0 && !kind.IsMemory() {
		return 0
	}
	has := strings.Fields(string(words.AppendTerms(nil, it.Record.Words())))
	for _, t := range terms {
		if slices.Contains(has, t) {
			n++
		}
	}
	return n
}
