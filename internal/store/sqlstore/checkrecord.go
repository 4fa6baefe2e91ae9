package sqlstore

import (
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// mostClocks is how many claims that are still to come are looked at.
const mostClocks = 100

// records goes through the log, a page of records by each processor. One that cannot be read
// is named, and the next is looked at.
func (c *checking) records() error {
	if err := c.countSignatures(); err != nil {
		return err
	}
	c.elsewhere = newElsewhere()
	return c.pages((*checking).page)
}

// pages gives the places of all records, a page to each processor, and notes them.
func (c *checking) pages(do func(*checking, []int64) error) error {
	after := int64(math.MinInt64)
	c.walked = nil
	return c.inParts(func() (func(*checking) error, error) {
		keys, err := c.keysAfter(after)
		if err != nil || len(keys) == 0 {
			return nil, err
		}
		if !slices.IsSorted(keys) || keys[0] <= after {
			return nil, c.found("the log is not in order: pages of the file are damaged")
		}
		after = keys[len(keys)-1]
		c.walked.add(keys)
		return func(c *checking) error { return do(c, keys) }, nil
	})
}

// keysAfter returns the next places, without those that are not to be looked at.
func (c *checking) keysAfter(after int64) ([]int64, error) {
	const query = "SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?"
	for {
		keys, err := keysOf(c.ctx, c.s.read, query, after, laterPage)
		if err != nil || len(keys) == 0 {
			return nil, err
		}
		old := slices.IndexFunc(
			keys, func(key int64) bool { return int64(session.SeqOf(key)) <= c.after[key>>session.SeqBits] },
		)
		switch {
		case old < 0:
			return keys, nil
		case old > 0:
			return keys[:old], nil
		}
		no := keys[0] >> session.SeqBits
		after = max(keys[0], session.FirstKey(int(no))+c.after[no])
	}
}

// page looks at some neighbouring records.
func (c *checking) page(keys []int64) error {
	query := itemColumns + itemTables + "WHERE r.key >= ? AND r.key <= ? ORDER BY r.key"
	page, err := c.s.items(c.ctx, query, keys[0], keys[len(keys)-1])
	if err == nil {
		c.around = c.readAround(page)
		for _, r := range page {
			if err := c.one(r); err != nil {
				return err
			}
		}
		return nil
	}
	for _, key := range keys {
		page, err := c.s.items(c.ctx, query, key, key)
		if err != nil {
			c.unread = true
			err = c.stale("the record in place %d of space %d cannot be read: %v", session.SeqOf(key), key>>session.SeqBits, err)
		} else if len(page) == 1 {
			err = c.one(page[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one checks a record, and reports what keeps it from being checked.
func (c *checking) one(r *row) error {
	err := c.record(r)
	if err != nil && !errors.Is(err, errStop) && c.ctx.Err() == nil {
		err = c.stale("%s: %v", r.id.Short(), err)
	}
	return err
}

func (c *checking) countSignatures() error {
	c.signatures = make(map[int64]int64)
	return c.s.read.Each(c.ctx, func(rows *sql.Rows) error {
		var key, n int64
		err := rows.Scan(&key, &n)
		c.signatures[key] = n
		return err
	}, "SELECT key, count(*) FROM signatures GROUP BY key")
}

func (c *checking) record(r *row) error {
	id := r.id
	if !sums.CameIs(r.key, r.came, r.sum) {
		if err := c.stale("%s: when it came is not what was written: it counts as not known", id.Short()); err != nil {
			return err
		}
	}
	if r.bytes == nil {
		c.elsewhere.empty(r.key)
		if r.flags.Int64&flagPurged == 0 {
			c.unread = true
			return c.found("%s: its bytes are missing although nobody purged it", id.Short())
		}
		if err := wrongAlone(r.flags, r.fold); err != nil {
			return c.stale("%s: %w", id.Short(), err)
		}
		return nil
	}
	rec, err := c.around.record(r)
	switch {
	case err != nil:
		c.unread = true
		return c.found("%s: %w", id.Short(), err)
	case rec.ID != id:
		return c.wrongID(r, rec)
	}
	kind, err := c.s.names.Kind(c.ctx, c.s.read, r.kind)
	if err != nil {
		return err
	}
	if kind != rec.Header.Kind {
		return c.stale("%s: it is listed as %q", rec.Ref().Short(), kind)
	}
	for _, look := range []func(*row, *memory.Record) error{c.space, c.copied, c.alias, c.edges, c.state} {
		if err := look(r, rec); err != nil {
			return err
		}
	}
	return nil
}

// wrongID reports whether the bytes or the log are not what they were: only one whose
// signature holds was ever a record.
func (c *checking) wrongID(r *row, rec *memory.Record) error {
	tell := c.found
	if len(r.sig) > 0 && envelope.SignedBy(rec, r.sig) {
		tell = c.stale
	}
	return tell("%s: its bytes have the id %s", r.id.Short(), rec.ID.Short())
}

func (c *checking) space(r *row, rec *memory.Record) error {
	no, err := c.s.names.Number(c.ctx, c.s.read, lists.Spaces, rec.Header.Space)
	if err == nil && int64(no) != r.key>>session.SeqBits {
		err = c.stale("%s: it is in the log of another space", rec.Ref().Short())
	}
	return err
}

// copied compares the columns that are copied out of the bytes with them.
func (c *checking) copied(r *row, rec *memory.Record) error {
	h := &rec.Header
	author, session, more, err := c.columnsOf(r.key)
	if err != nil {
		return err
	}
	no, err := c.s.names.Number(c.ctx, c.s.read, lists.Authors, h.Author)
	if err != nil {
		return err
	}
	var at int64
	if !h.At.IsZero() {
		at = h.At.Time().UnixMilli()
	}
	var wrong []string
	for _, one := range []struct {
		name string
		is   bool
	}{
		{"author", author == int64(no) && no != 0}, {"time", r.at == at}, {"session", session == sessionKey(h.Session)},
		{"number of signatures", more == c.signatures[r.key]},
	} {
		if !one.is {
			wrong = append(wrong, one.name)
		}
	}
	if len(wrong) > 0 {
		return c.stale("%s: the log does not have the %s that its bytes say", rec.Ref().Short(), strings.Join(wrong, ", "))
	}
	return nil
}

// looks is how often a state is read that does not follow from its claims, before it is called stale: a program beside
// may have written between the reading of the one and of the others.
const looks = 3

// state compares a state with what follows from the claims.
func (c *checking) state(r *row, rec *memory.Record) error {
	wrong, err := c.stateOf(r, rec, c.around.shared())
	for range looks {
		if wrong == nil || err != nil {
			return err
		}
		now := row{key: r.key}
		const query = "SELECT flags, due, fold FROM state WHERE key = ?"
		found, err := c.s.read.One(c.ctx, []any{&now.flags, &now.due, &now.fold}, query, r.key)
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if wrong, err = c.stateOf(&now, rec, nil); err != nil {
			return err
		}
	}
	return c.stale("%s: %w", rec.Ref().Short(), wrong)
}

// stateOf folds again, as of when it was folded. It returns what is wrong with the state that was read; rows is what
// was read for a page of records, nil where the claims are to be read now.
func (c *checking) stateOf(r *row, rec *memory.Record, rows *rows) (wrong, err error) {
	kept, err := decodeState(rec, r.flags, r.fold)
	if err != nil {
		return err, nil
	}
	if kept.Due.IsZero() == r.due.Valid || flagsOf(&kept) != int(r.flags.Int64) ||
		r.due.Valid && kept.Due.Time().UnixMilli() != r.due.Int64 {
		return errors.New("its state does not say what its flags say"), nil
	}
	if rows == nil {
		rows = newRows(c.ctx, c.s, c.s.read)
	}
	at := c.s.now()
	if !kept.Due.IsZero() { // it was folded before then, and is folded again by who reads it
		at = kept.Due.Time().Add(-time.Millisecond)
	}
	want, _, err := encodeState(rec, kept)
	if err != nil {
		return nil, err
	}
	for range mostClocks { // a process with a fast clock may have folded claims dated ahead
		now, err := store.Current(rows, rec, at)
		if err = errors.Join(err, rows.failed); err != nil {
			return nil, err
		}
		got, _, err := encodeState(rec, now)
		if err != nil || got == want && flagsOf(&kept) == flagsOf(&now) && kept.Due == now.Due {
			return nil, err
		}
		if !now.Due.Time().After(at) || !kept.Due.IsZero() {
			break
		}
		at = now.Due.Time()
	}
	return errors.New("its state does not follow from the claims about it"), nil
}

// edges compares the stored arrows with those the bytes draw.
func (c *checking) edges(_ *row, rec *memory.Record) error {
	drawn := graph.Edges(rec)
	stored, err := c.stored(rec.ID)
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
	var want []graph.Edge
	for i, e := range drawn {
		if held[i] == nil || store.Draws(rec, e, held[i].Ref.Kind) {
			want = append(want, e)
		}
	}
	if !slices.Equal(want, stored) {
		return c.stale("%s: its %d edges are stored as %d others", rec.Ref().Short(), len(want), len(stored))
	}
	return nil
}
