package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// errStop ends a check whose reader wants no more.
var errStop = errors.New("enough")

// Check looks at everything: the file, the log, each record's bytes and what
// was computed of them.
func (s *Store) Check(ctx context.Context) iter.Seq[error] {
	return func(yield func(error) bool) {
		c := checking{s: s, ctx: ctx, yield: yield}
		for _, part := range []func() error{c.file, c.logs, c.records, c.index, c.strays, c.vectors} {
			err := part()
			if errors.Is(err, errStop) {
				return
			}
			if err != nil && !yield(s.failed("check", err)) {
				return
			}
		}
	}
}

// checking is one run of Check.
type checking struct {
	s     *Store
	ctx   context.Context
	yield func(error) bool
}

// found reports damage.
func (c *checking) found(format string, args ...any) error {
	if !c.yield(fmt.Errorf("%s: %w: %w", c.s.name, store.ErrDamaged, fmt.Errorf(format, args...))) {
		return errStop
	}
	return nil
}

// file asks SQLite about its own structure.
func (c *checking) file() error {
	if c.s.d != sqliteDialect {
		return nil
	}
	var all []string
	err := c.s.read.long(c.ctx, func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		all = append(all, line)
		return err
	}, "PRAGMA quick_check")
	for _, line := range all {
		if err == nil && line != "ok" {
			err = c.found("%s", line)
		}
	}
	return err
}

// logs looks for gaps: as many records as the counter says, the last at its
// place.
func (c *checking) logs() error {
	const query = `SELECT p.name, p.no, p.last, count(r.key), coalesce(max(r.key), 0) FROM spaces p
		LEFT JOIN records r ON r.key / 1099511627776 = p.no GROUP BY p.name, p.no, p.last`
	type space struct {
		name            string
		no              int
		last, held, max int64
	}
	var all []space
	err := c.s.read.long(c.ctx, func(rows *sql.Rows) error {
		var p space
		err := rows.Scan(&p.name, &p.no, &p.last, &p.held, &p.max)
		all = append(all, p)
		return err
	}, query)
	for _, p := range all {
		if err == nil && (p.held != p.last || p.last > 0 && p.max != firstKey(p.no)+p.last) {
			err = c.found("space %s: the log should have %d records and has %d", p.name, p.last, p.held)
		}
	}
	return err
}

// records goes through the log, record by record.
func (c *checking) records() error {
	query := itemColumns + itemTables + "WHERE r.key > ? ORDER BY r.key LIMIT ?"
	for after := int64(-1); ; {
		page, err := c.s.items(c.ctx, query, after, laterPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, r := range page {
			after = r.key
			if err := c.record(r); err != nil {
				return err
			}
		}
	}
}

func (c *checking) record(r *row) error {
	id := memory.ID(r.id)
	if r.bytes == nil {
		if r.flags.Int64&flagPurged == 0 {
			return c.found("%s: its bytes are gone and nobody purged it", id.Short())
		}
		return nil
	}
	rec, err := memory.Load(r.bytes)
	switch {
	case err != nil:
		return c.found("%s: %w", id.Short(), err)
	case rec.ID != id:
		return c.found("%s: its bytes have the id %s", id.Short(), rec.ID.Short())
	}
	kind, err := c.s.names.kind(c.ctx, c.s.read, r.kind)
	if err != nil {
		return err
	}
	if kind != rec.Header.Kind {
		return c.found("%s: it is listed as %q", rec.Ref().Short(), kind)
	}
	if err := c.space(r, rec); err != nil {
		return err
	}
	if err := c.edges(rec); err != nil {
		return err
	}
	return c.state(r, rec)
}

func (c *checking) space(r *row, rec *memory.Record) error {
	no, err := c.s.names.number(c.ctx, c.s.read, spaceList, rec.Header.Space)
	if err == nil && int64(no) != r.key>>seqBits {
		err = c.found("%s: it is in the log of another space", rec.Ref().Short())
	}
	return err
}

// edges compares the stored arrows with those the bytes draw.
func (c *checking) edges(rec *memory.Record) error {
	drawn := rec.Edges()
	stored, err := c.s.Edges(c.ctx, memory.Back, rec.ID)
	if err != nil || slices.Equal(drawn, stored) {
		return err
	}
	ids := make([]memory.ID, len(drawn))
	for i, e := range drawn {
		ids[i] = e.To
	}
	held, err := c.s.Get(c.ctx, ids...)
	if err != nil {
		return err
	}
	var want []memory.Edge
	for i, e := range drawn {
		if held[i] == nil || store.Draws(rec, e, held[i].Ref.Kind) {
			want = append(want, e)
		}
	}
	if !slices.Equal(want, stored) {
		return c.found("%s: its %d edges are stored as %d others", rec.Ref().Short(), len(want), len(stored))
	}
	return nil
}

// index makes the segments of words again and compares: the same records give
// the same bytes, however often segments were merged.
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
	all, err := segmentsOf(c.ctx, c.s.read, space)
	if err != nil {
		return err
	}
	waits, err := waitingIn(c.ctx, c.s.read, []int{space})
	if err != nil {
		return err
	}
	upTo := int64(unbounded)
	if len(waits) > 0 {
		upTo = waits[0].indexed
	}
	at := int64(0)
	for _, g := range append(all, segment{first: upTo + 1, last: upTo}) { // between them, and after the last, nothing can be found
		missed, err := entriesOf(c.ctx, c.s.read, space, at, g.first-1)
		if err == nil && len(missed) > 0 {
			err = c.found("search cannot find %d records of space %d, from place %d on", len(missed), space, at+1)
		}
		if err != nil {
			return err
		}
		if at = g.last; g.no == 0 || g.version != index.Version {
			continue
		}
		entries, err := entriesOf(c.ctx, c.s.read, space, g.first-1, g.last)
		if err != nil {
			return err
		}
		parts, err := partsOf(c.ctx, c.s.read, g)
		if err == nil && slices.EqualFunc(parts, index.Build(entries), bytes.Equal) {
			continue
		}
		if err == nil || errors.Is(err, index.ErrDamaged) {
			err = c.found("search cannot find all of the %d records of space %d from place %d to %d", len(entries), space, g.first, g.last)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// state folds again, as of when it was folded.
func (c *checking) state(r *row, rec *memory.Record) error {
	kept, err := decodeState(rec, r.flags, r.fold)
	if err != nil {
		return c.found("%s: %w", rec.Ref().Short(), err)
	}
	if kept.Due.IsZero() == r.due.Valid || flagsOf(&kept) != int(r.flags.Int64) {
		return c.found("%s: its state does not say what its flags say", rec.Ref().Short())
	}
	rows := newRows(c.ctx, c.s, c.s.read)
	at := c.s.now()
	if !kept.Due.IsZero() { // it was folded before then, and is folded again by who reads it
		at = kept.Due.Add(-time.Millisecond)
	}
	now, err := store.Current(rows, rec, at)
	if err == nil && rec.Header.Kind.IsMemory() && (kept.Outranked || len(rec.Header.Provenance.Supersedes) > 0) {
		now.Outranked, err = store.Outranked(rows, rec)
	}
	if err = errors.Join(err, rows.failed); err != nil {
		return err
	}
	a, _, err := encodeState(rec, kept)
	if err != nil {
		return err
	}
	b, _, err := encodeState(rec, now)
	if err == nil && (a != b || flagsOf(&kept) != flagsOf(&now) || kept.Due != now.Due) {
		err = c.found("%s: its state is not what follows from what is said of it", rec.Ref().Short())
	}
	return err
}

// strays looks for rows that belong to no record.
func (c *checking) strays() error {
	for _, table := range []struct{ what, query string }{
		{"payloads", "SELECT count(*) FROM payloads x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"states", "SELECT count(*) FROM state x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"edges", "SELECT count(*) FROM edges x LEFT JOIN records r ON r.key = x.src LEFT JOIN records d ON d.key = x.dst WHERE r.key IS NULL OR d.key IS NULL"},
		{"dangling edges", "SELECT count(*) FROM dangling x LEFT JOIN records r ON r.key = x.src LEFT JOIN records d ON d.id = x.dst WHERE r.key IS NULL OR d.key IS NOT NULL"},
		{"signatures", "SELECT count(*) FROM signatures x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"vectors", "SELECT count(*) FROM vectors x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
		{"aliases", "SELECT count(*) FROM aliases x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL"},
	} {
		var n int
		if _, err := c.s.read.one(c.ctx, []any{&n}, table.query); err != nil {
			return err
		}
		if n > 0 {
			if err := c.found("%d %s belong to no record", n, table.what); err != nil {
				return err
			}
		}
	}
	return nil
}

// vectors looks for vectors that are not of their model's length, and reads the
// codes that were made of them.
func (c *checking) vectors() error {
	var models []string
	err := c.s.read.each(c.ctx, func(rows *sql.Rows) error {
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
	return err
}

func (c *checking) model(name string) error {
	m, err := c.s.model(c.ctx, name)
	if err != nil || m.dims == 0 {
		return err
	}
	var n int
	const query = "SELECT count(*) FROM vectors WHERE model = ? AND length(vec) <> 0 AND length(vec) <> ?"
	if _, err := c.s.read.one(c.ctx, []any{&n}, query, m.no, m.dims*floatBytes); err != nil {
		return err
	}
	if n > 0 {
		if err := c.found("%d vectors of model %s are not of %d numbers", n, name, m.dims); err != nil {
			return err
		}
	}
	path, h, err := c.s.codesAt(c.ctx, name, m)
	if err != nil || path == "" {
		return err
	}
	x, err := vec.Open(path, h)
	if err != nil {
		return nil // the next search makes it anew, or does without
	}
	if err = x.Check(); err != nil {
		err = c.found("the vectors of model %s cannot all be found: %w: delete %s, and the next search makes it anew", name, err, path)
	}
	return errors.Join(err, x.Close())
}
