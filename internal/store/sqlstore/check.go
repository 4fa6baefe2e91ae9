package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/vec"
)

// Check looks at everything: the file, the log, each record's bytes and what
// was computed of them.
func (s *Store) Check(ctx context.Context) iter.Seq[error] {
	return func(yield func(error) bool) {
		c := checking{s: s, ctx: store.Itself(ctx), yield: yield}
		first, stop := c.beside((*checking).file, (*checking).schema, (*checking).columns)
		defer stop()
		c.yield = func(err error) bool { return first() && yield(err) }
		more := c.all(
			(*checking).logs, (*checking).records, (*checking).index, (*checking).strays, (*checking).lists,
			(*checking).aliases, (*checking).usage, (*checking).vectors,
		)
		if more {
			first()
		}
	}
}

// CheckSince is Check of the records after a place in each log, and of what is computed of them.
func (s *Store) CheckSince(ctx context.Context, after map[string]store.Seq) iter.Seq[error] {
	return func(yield func(error) bool) {
		c := checking{s: s, ctx: store.Itself(ctx), yield: yield, after: make(map[int64]int64)}
		for name, seq := range after {
			no, err := s.names.Number(c.ctx, s.read, lists.Spaces, name)
			if err != nil {
				yield(s.Failed("check", err))
				return
			}
			c.after[int64(no)] = int64(seq)
		}
		c.all(
			(*checking).schema, (*checking).logs, (*checking).records, (*checking).index,
			func(c *checking) error { return c.pages((*checking).aliasPage) }, (*checking).lists, (*checking).usage,
		)
	}
}

// all goes through parts of a check. It reports whether the reader wants more.
func (c *checking) all(parts ...func(*checking) error) bool {
	for _, part := range parts {
		err := part(c)
		if errors.Is(err, errStop) || err != nil && !c.yield(c.s.Failed("check", err)) {
			return false
		}
	}
	return true
}

// file asks SQLite about its own structure.
func (c *checking) file() error {
	if c.s.d != session.SQLite {
		return nil
	}
	all, err := c.s.integrity(c.ctx)
	for _, line := range all {
		if line != "ok" {
			if err := c.stale("%s", line); err != nil { // of what it is, Repair finds out
				return err
			}
		}
	}
	return err
}

// index makes the segments of words again and compares them: the same records give the same
// bytes, however often segments were merged.
func (c *checking) index() error {
	spaces, _, err := c.s.scope(c.ctx, nil, nil)
	if err != nil {
		return err
	}
	for _, space := range spaces {
		if err := c.segments(space); err != nil {
			return err
		}
	}
	return nil
}

func (c *checking) segments(space int) error {
	upTo := int64(unbounded) // and before the segments: somebody may write meanwhile
	_, err := c.s.read.One(c.ctx, []any{&upTo}, "SELECT indexed FROM spaces WHERE no = ?", space)
	if err != nil {
		return err
	}
	all, err := segmentsOf(c.ctx, c.s.read, space)
	if err != nil {
		return err
	}
	at := c.after[int64(space)]
	all = slices.DeleteFunc(all, func(g segment) bool { return g.last <= at })
	// between them, and after the last, nothing can be found
	all = append(all, segment{space: space, first: upTo + 1, last: upTo})
	return c.inParts(func() (func(*checking) error, error) {
		if len(all) == 0 {
			return nil, nil
		}
		g, after := all[0], at
		all, at = all[1:], g.last
		return func(c *checking) error { return c.segment(g, after) }, nil
	})
}

// segment looks at one segment, and at what lies between the one before it, which ends at a
// place, and it.
func (c *checking) segment(g segment, at int64) error {
	missed, err := entriesOf(c.ctx, c.s.read, g.space, at, g.first-1)
	if err == nil && len(missed) > 0 {
		err = c.stale("search cannot find %d records of space %d, from place %d on", len(missed), g.space, at+1)
	}
	if err != nil || g.no == 0 || g.version > index.Version {
		return err
	}
	made, n, err := c.made(g)
	if err != nil {
		return err
	}
	same, err := sameParts(c.ctx, c.s.read, g, made)
	if err == nil && same {
		return nil
	}
	now, gone := segmentsOf(c.ctx, c.s.read, g.space)
	if gone == nil && !slices.Contains(now, g) { // somebody who writes made it one with others
		return nil
	}
	if err == nil || errors.Is(err, index.ErrDamaged) {
		err = c.stale(
			"search cannot find all of the %d records of space %d from place %d to %d", n, g.space, g.first, g.last,
		)
	}
	return err
}

// sameParts reports whether a segment has these parts. It reads one after the other.
func sameParts(ctx context.Context, on *session.Session, g segment, made [][]byte) (bool, error) {
	if g.version < index.Version {
		parts, err := partsOf(ctx, on, g)
		return slices.EqualFunc(parts, made, bytes.Equal), err
	}
	n, same := 0, true
	err := on.Each(ctx, func(r *sql.Rows) error {
		var b sql.RawBytes
		err := r.Scan(&b)
		same = same && n < len(made) && bytes.Equal(b, made[n])
		n++
		return err
	}, "SELECT bytes FROM segment_parts WHERE space = ? AND no = ? ORDER BY part", g.space, g.no)
	return same && n == len(made), err
}

// made makes a segment again, of so many records: some at a time, since the words of all take
// twenty times what the segment does.
func (c *checking) made(g segment) (parts [][]byte, n int, err error) {
	var some [][][]byte
	for after := g.first - 1; after < g.last; {
		upTo := min(after+segmentMost, g.last)
		entries, err := entriesOf(c.ctx, c.s.read, g.space, after, upTo)
		if err != nil {
			return nil, 0, err
		}
		if n += len(entries); len(entries) > 0 {
			some = append(some, index.Build(entries))
			after = upTo
			continue
		}
		var next sql.NullInt64 // one damaged bit makes a hole that no one can go through
		const query = "SELECT min(key) FROM payloads WHERE key > ? AND key <= ?"
		_, err = c.s.read.One(c.ctx, []any{&next}, query, session.FirstKey(g.space)+upTo, session.FirstKey(g.space)+g.last)
		if err != nil {
			return nil, 0, err
		}
		if !next.Valid {
			break
		}
		after = int64(session.SeqOf(next.Int64)) - 1
	}
	switch len(some) {
	case 0:
		return index.Build(nil), 0, nil
	case 1:
		return some[0], n, nil
	}
	parts, err = index.Merge(some...)
	return parts, n, err
}

// strays looks for rows that belong to no record.
func (c *checking) strays() error {
	for _, table := range []struct{ what, query string }{
		{"payloads", "SELECT count(*) FROM payloads x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"states", "SELECT count(*) FROM state x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{
			"edges",
			"SELECT count(*) FROM edges x LEFT JOIN records r ON r.key = x.src LEFT JOIN records d ON d.key = x.dst " +
				"WHERE r.key IS NULL OR d.key IS NULL",
		},
		{
			"dangling edges",
			"SELECT count(*) FROM dangling x LEFT JOIN records r ON r.key = x.src LEFT JOIN records d ON d.id = x.dst " +
				"WHERE r.key IS NULL OR d.key IS NOT NULL",
		},
		{"signatures", "SELECT count(*) FROM signatures x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"vectors", "SELECT count(*) FROM vectors x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
	} {
		var n int
		if _, err := c.s.read.One(c.ctx, []any{&n}, table.query); err != nil {
			return err
		}
		if n > 0 {
			if err := c.stale("%d %s belong to no record", n, table.what); err != nil {
				return err
			}
		}
	}
	return nil
}

// vectors looks for vectors that are not what was written, or not of their model's
// length, and reads the codes that were made of them.
func (c *checking) vectors() error {
	var models []string
	err := c.s.read.Each(c.ctx, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		models = append(models, name)
		return err
	}, "SELECT name FROM models ORDER BY no")
	for _, name := range models {
		if err == nil {
			err = c.model(name)
		}
	}
	var n int
	if err == nil {
		_, err = c.s.read.One(
			c.ctx, []any{&n},
			"SELECT count(*) FROM vectors v LEFT JOIN models m ON m.no = v.model WHERE m.no IS NULL",
		)
	}
	if err == nil && n > 0 {
		err = c.stale("%d vectors are of a model that is not listed", n)
	}
	return err
}

func (c *checking) model(name string) error {
	m, err := nearest.ModelOf(c.ctx, c.s.read, name)
	if err == nil {
		err = c.sums(m)
	}
	if err != nil || m.Dims == 0 {
		return err
	}
	var n int
	const query = "SELECT count(*) FROM vectors WHERE model = ? AND length(vec) <> 0 AND length(vec) <> ?"
	if _, err := c.s.read.One(c.ctx, []any{&n}, query, m.No, m.Dims*nearest.FloatBytes); err != nil {
		return err
	}
	if n > 0 {
		if err := c.stale("%d vectors of model %s are not of %d numbers", n, name, m.Dims); err != nil {
			return err
		}
	}
	path, h, err := c.s.nearest().CodesAt(c.ctx, name, m)
	if err != nil || path == "" {
		return err
	}
	x, err := vec.Open(path, h)
	if err != nil {
		return nil // the next search makes it again, or works without it
	}
	if err = x.Check(); err != nil {
		err = c.found(
			"the vectors of model %s cannot all be found: %w: delete %s, and the next search makes it again",
			name, err, path,
		)
	}
	return errors.Join(err, x.Close())
}
