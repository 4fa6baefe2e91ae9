package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/memory"
)

// The index of words is kept in segments of neighbouring records. New records
// make a small one; several of one size become one of the next, so that there
// are few. A small one for each record would cost a capture more than all else,
// so the words of the newest few of a space wait: the next that is one too many
// makes a segment of all of them, and a search reads them as they are.

// Sizes of segments, in records.
const (
	backlog     = 64   // how many of the newest records of a space may wait
	mergeOf     = 8    // so many of one level make one of the next
	segmentMost = 4096 // how many records one made at once holds
	levels      = 4    // the greatest hold backlog * mergeOf^levels records
)

// A segment is a row of the table.
type segment struct {
	space       int
	no          int64
	level       int
	version     int
	first, last int64
}

// levelOf returns the level of a segment made of n records.
func levelOf(n int64) (level int) {
	for size := int64(backlog); n >= size*mergeOf && level < levels; size *= mergeOf {
		level++
	}
	return level
}

// segmentsOf lists the segments of a space in the order of their records.
func segmentsOf(ctx context.Context, on *session, space int) (all []segment, err error) {
	err = on.each(ctx, func(r *sql.Rows) error {
		g := segment{space: space}
		err := r.Scan(&g.no, &g.level, &g.version, &g.first, &g.last)
		all = append(all, g)
		return err
	}, "SELECT no, level, version, first, last FROM segments WHERE space = ?", space)
	slices.SortFunc(all, func(a, b segment) int { return cmp.Compare(a.first, b.first) })
	return all, err
}

// partsOf reads all parts of a segment.
func partsOf(ctx context.Context, on *session, g segment) (parts [][]byte, err error) {
	err = on.each(ctx, func(r *sql.Rows) error {
		var b []byte
		err := r.Scan(&b)
		parts = append(parts, b)
		return err
	}, "SELECT bytes FROM segment_parts WHERE space = ? AND no = ? ORDER BY part", g.space, g.no)
	if err == nil && len(parts) == 0 {
		err = fmt.Errorf("%w: a segment has no parts", index.ErrDamaged)
	}
	return parts, err
}

// entriesOf reads the records of a space after one place and up to another, as
// the index wants them.
func entriesOf(ctx context.Context, on *session, space int, after, upTo int64) (all []index.Entry, err error) {
	err = on.each(ctx, func(r *sql.Rows) error {
		var key int64
		var kind int
		var in sql.NullInt64
		var raw []byte
		if err := r.Scan(&key, &kind, &in, &raw); err != nil {
			return err
		}
		rec, err := memory.Load(raw)
		if err != nil {
			return nil // Check names it; the words of others are found without it
		}
		if e := index.Describe(key, kind, uint64(in.Int64), rec); len(e.Terms) > 0 {
			all = append(all, e)
		}
		return nil
	}, `SELECT r.key, r.kind, r.session, p.bytes FROM payloads p JOIN records r ON r.key = p.key
		WHERE p.key > ? AND p.key <= ? ORDER BY p.key`, firstKey(space)+after, firstKey(space)+upTo)
	return all, err
}

// An indexer makes segments of one space in the transaction that writes.
type indexer struct {
	ctx   context.Context
	on    *session
	space int
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
	return x.on.exec(x.ctx, "UPDATE spaces SET indexed = ? WHERE no = ?", upTo, x.space)
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
	rows := pile{into: "INSERT INTO segment_parts (space, no, part, bytes) VALUES ", row: "(?,?,?,?)"}
	for i, p := range parts {
		rows.add(g.space, g.no, i, p)
	}
	if err := rows.flush(x.ctx, x.on); err != nil {
		return err
	}
	x.on.fills("segments")
	return x.on.exec(x.ctx, "INSERT INTO segments (space, no, level, version, first, last) VALUES (?, ?, ?, ?, ?, ?)",
		g.space, g.no, g.level, g.version, g.first, g.last)
}

func (x *indexer) drop(g segment) error {
	x.on.cleared = true
	if err := x.on.exec(x.ctx, "DELETE FROM segment_parts WHERE space = ? AND no = ?", g.space, g.no); err != nil {
		return err
	}
	return x.on.exec(x.ctx, "DELETE FROM segments WHERE space = ? AND no = ?", g.space, g.no)
}

// A waiting space has records whose words are in no segment.
type waiting struct {
	space         int
	indexed, last int64
}

// waitingIn returns what waits in some spaces, or in all for none.
func waitingIn(ctx context.Context, on *session, spaces []int) (all []waiting, err error) {
	query, args := "SELECT no, indexed, last FROM spaces WHERE indexed < last", []any(nil)
	if len(spaces) > 0 {
		part, list := spreadFor(" AND no IN (…)", spaces, anyInt)
		query, args = query+part, list
	}
	err = on.each(ctx, func(r *sql.Rows) error {
		var w waiting
		err := r.Scan(&w.space, &w.indexed, &w.last)
		all = append(all, w)
		return err
	}, query+" ORDER BY no", args...)
	return all, err
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
		err = s.change(ctx, "index words in", func(ctx context.Context, w *session) error {
			return s.noting(ctx, w, func() error { return catchUpOne(ctx, w, todo.space) })
		})
		if err != nil {
			s.forgetFilling()
			return ctx.Err() // another writes for long: what waits is read as it is
		}
	}
}

// behind returns a space in which too much waits; nil is none.
func (s *Store) behind(ctx context.Context, spaces []int) (*waiting, error) {
	if s.readOnly {
		return nil, nil
	}
	all, err := waitingIn(ctx, s.read, spaces)
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

// catchUpOne makes one segment of what waits in a space.
func catchUpOne(ctx context.Context, w *session, space int) error {
	all, err := waitingIn(ctx, w, []int{space}) // another may have been faster
	if err != nil || len(all) == 0 {
		return err
	}
	after, upTo := max(all[0].indexed, 0), all[0].last
	var next sql.NullInt64
	const query = "SELECT min(key) FROM records WHERE key > ? AND key < ?"
	if _, err := w.one(ctx, []any{&next}, query, firstKey(space)+after, firstKey(space+1)); err != nil {
		return err
	}
	switch first := int64(seqOf(next.Int64)); {
	case !next.Valid: // the counter is damaged: what is not there is indexed at once
	case first > after+segmentMost: // the key of a row is damaged, and what is before it is not there
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

// heads remembers the heads of segments, which never change.
type heads struct {
	mu    sync.Mutex
	known map[segment]*index.Head
}

// of returns the heads of segments, and forgets all others.
func (h *heads) of(ctx context.Context, on *session, all []segment) ([]*index.Head, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*index.Head, len(all))
	for i, g := range all {
		if out[i] = h.known[g]; out[i] != nil {
			continue
		}
		var b []byte
		_, err := on.one(
			ctx, []any{&b}, "SELECT bytes FROM segment_parts WHERE space = ? AND no = ? AND part = 0", g.space,
			g.no,
		)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return nil, errGone
		}
		if out[i], err = index.Open(b); err != nil {
			return nil, err
		}
		if h.known == nil {
			h.known = make(map[segment]*index.Head)
		}
		h.known[g] = out[i]
	}
	if len(h.known) > 2*len(all)+mergeOf {
		h.known = make(map[segment]*index.Head)
		for i, g := range all {
			h.known[g] = out[i]
		}
	}
	return out, nil
}
