package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// An indexer makes segments of one space in the transaction that writes.
type indexer struct {
	ctx   context.Context
	on    *session.Session
	space int
}

// again writes a segment again without deleted records, under another number.
func (x *indexer) again(g segment, no int64) error {
	entries, err := entriesOf(x.ctx, x.on, x.space, g.first-1, g.last)
	if err != nil {
		return err
	}
	if err := x.drop(g); err != nil || len(entries) == 0 {
		return err
	}
	g.no, g.version = no, index.Version
	return x.write(g, index.Build(entries))
}

// index makes a segment of entries, which are the records after one place and
// up to another, and merges what there are enough of.
func (x *indexer) index(entries []index.Entry, after, upTo int64) error {
	all, err := segmentsOf(x.ctx, x.on, x.space)
	if err != nil {
		return err
	}
	next := int64(1)
	for _, g := range all {
		next = max(next, g.no+1)
	}
	if len(entries) > 0 {
		g := segment{x.space, next, levelOf(upTo - after), index.Version, after + 1, upTo}
		if err := x.write(g, index.Build(entries)); err != nil {
			return err
		}
		all = append(all, g)
	}
	if err := x.merge(all); err != nil {
		return err
	}
	return x.on.Exec(x.ctx, "UPDATE spaces SET indexed = ? WHERE no = ?", upTo, x.space)
}

// merge makes one of the last segments as long as there are enough of a level.
func (x *indexer) merge(all []segment) error {
	for {
		if len(all) == 0 {
			return nil
		}
		n := 0
		for n < len(all) && all[len(all)-1-n].level <= all[len(all)-1].level {
			n++
		}
		last := all[max(len(all)-n, 0):]
		level := all[len(all)-1].level
		if len(last) < mergeOf || level >= levels {
			return nil
		}
		var parts [][][]byte
		for _, g := range last {
			p, err := partsOf(x.ctx, x.on, g)
			if err != nil {
				return err
			}
			parts = append(parts, p)
		}
		merged, err := index.Merge(parts...)
		if err != nil {
			return err
		}
		g := segment{x.space, 0, level + 1, index.Version, last[0].first, last[len(last)-1].last}
		for _, old := range all {
			g.no = max(g.no, old.no+1)
		}
		if err := x.write(g, merged); err != nil {
			return err
		}
		for _, old := range last {
			if err := x.drop(old); err != nil {
				return err
			}
		}
		all = append(all[:len(all)-n:len(all)-n], g)
	}
}

func (x *indexer) write(g segment, parts [][]byte) error {
	rows := session.Pile{Into: "INSERT INTO segment_parts (space, no, part, bytes) VALUES ", Row: "(?,?,?,?)"}
	for i, p := range parts {
		rows.Add(g.space, g.no, i, p)
	}
	if err := rows.Flush(x.ctx, x.on); err != nil {
		return err
	}
	x.on.Fills("segments")
	return x.on.Exec(x.ctx, "INSERT INTO segments (space, no, level, version, first, last) VALUES (?, ?, ?, ?, ?, ?)",
		g.space, g.no, g.level, g.version, g.first, g.last)
}

func (x *indexer) drop(g segment) error {
	x.on.Cleared = true
	if err := x.on.Exec(x.ctx, "DELETE FROM segment_parts WHERE space = ? AND no = ?", g.space, g.no); err != nil {
		return err
	}
	return x.on.Exec(x.ctx, "DELETE FROM segments WHERE space = ? AND no = ?", g.space, g.no)
}

// renew puts a segment of this version in the place of one of an older version.
func (s *Store) renew(ctx context.Context, old segment) error {
	return s.Change(ctx, "renew the index of words", func(ctx context.Context, w *session.Session) error {
		all, err := segmentsOf(ctx, w, old.space)
		if err != nil || !slices.Contains(all, old) { // another was faster
			return err
		}
		return s.noting(ctx, w, func() error {
			x := &indexer{ctx, w, old.space}
			parts, err := partsOf(ctx, w, old)
			if err == nil {
				err = x.drop(old)
			}
			if err != nil {
				return err
			}
			g := old
			g.version = index.Version
			for _, other := range all {
				g.no = max(g.no, other.no+1)
			}
			return x.write(g, parts)
		})
	})
}

// levelOf returns the level of a segment made of n records.
func levelOf(n int64) (level int) {
	for size := int64(backlog); n >= size*mergeOf && level < levels; size *= mergeOf {
		level++
	}
	return level
}

// catchUpOne makes one segment of what waits in a space.
func catchUpOne(ctx context.Context, w *session.Session, space int) error {
	all, err := waitingIn(ctx, w, []int{space}) // another may have been faster
	if err != nil || len(all) == 0 {
		return err
	}
	after, upTo := max(all[0].indexed, 0), all[0].last
	var next sql.NullInt64
	const query = "SELECT min(key) FROM records WHERE key > ? AND key < ?"
	if _, err := w.One(ctx, []any{&next}, query, session.FirstKey(space)+after, session.FirstKey(space+1)); err != nil {
		return err
	}
	switch first := int64(session.SeqOf(next.Int64)); {
	case !next.Valid: // the counter is damaged: missing records are indexed at once
	case first > after+segmentMost: // the key of a row is damaged, and earlier records are missing
		upTo = min(upTo, first-1)
	default:
		upTo = min(upTo, after+segmentMost)
	}
	entries, err := entriesOf(ctx, w, space, after, upTo)
	if err != nil {
		return err
	}
	return (&indexer{ctx, w, space}).index(entries, after, upTo)
}

// catchUp makes segments of what waits where that is much: after the index was
// made again by a migration, or is of another version. Where it cannot write,
// what waits is read as it is.
func (s *Store) catchUp(ctx context.Context, spaces []int) error {
	for {
		todo, err := s.behind(ctx, spaces)
		if err != nil || todo == nil {
			return err
		}
		err = s.Change(ctx, "index words in", func(ctx context.Context, w *session.Session) error {
			return s.noting(ctx, w, func() error { return catchUpOne(ctx, w, todo.space) })
		})
		if err != nil {
			s.forgetFilling()
			return ctx.Err() // another writes for long: what waits is read as it is
		}
	}
}

// behind returns a space in which too many words wait, or nil.
func (s *Store) behind(ctx context.Context, spaces []int) (*waiting, error) {
	if s.readOnly {
		return nil, nil
	}
	all, err := s.waitingAt(ctx, spaces)
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		if w.last-w.indexed > backlog {
			return &w, nil
		}
	}
	return nil, nil
}
