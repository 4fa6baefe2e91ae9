package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// Append adds the records that are not there yet, all or none.
func (s *Store) Append(ctx context.Context, b store.Batch) (added int, err error) {
	return s.append(ctx, b, nil, 0)
}

// enoughToWiden is how many records at once a connection is readied for.
const enoughToWiden = 100

// append is Append; sent says how often it may have been done already. Key records alone may be added to guests, which
// are spaces that are at home in another shard.
func (s *Store) append(ctx context.Context, b store.Batch, guests []string, sent int) (added int, err error) {
	var purged []*memory.Record
	again := false
	err = s.Change(ctx, "append to", func(ctx context.Context, w *session.Session) error {
		a := appending{
			rows: newRowsFor(ctx, s, w, len(b.Records)), batch: b, awaited: make(map[memory.ID]bool),
			gone: make(map[memory.ID]bool, len(b.Records)), guests: guests,
		}
		if len(b.Records) >= enoughToWiden {
			if err := w.Widen(ctx); err != nil {
				return err
			}
		}
		err := s.noting(ctx, w, func() error {
			err := a.run()
			if err == nil && b.Obey {
				err = a.obey()
			}
			if err == nil {
				err = a.purge()
			}
			return err
		})
		if err != nil {
			return err
		}
		again = len(a.batch.Purge) > 0
		added, purged = len(a.fresh), a.purged
		return nil
	})
	if err != nil {
		s.forgetFilling()
	}
	if _, is := errors.AsType[*unsure](err); is && (s.shared && sent == 0 || session.NodeFailed(err) && sent < mostTries) {
		return s.append(ctx, b, guests, sent+1) // what was done is not done again
	}
	if err != nil {
		return 0, err
	}
	s.tallies.put(tallied{}) // bytes that come back make no place in a log
	if len(purged) > 0 && b.Gone != nil {
		b.Gone(purged)
	}
	if again { // also what a purge before this one had to leave there
		err = s.Failed("purge from", s.scour(ctx))
	}
	return added, err
}

func (a *appending) run() error {
	if err := a.findFresh(); err != nil {
		return err
	}
	if len(a.fresh) == 0 && len(a.batch.Records) > 0 {
		if _, err := a.finish(); err != nil {
			return err
		}
		return a.leave() // sent twice: nothing to add, so nothing to be in conflict with
	}
	if done, err := a.finish(); !done || err != nil {
		return conflict(err)
	}
	if err := a.leave(); err != nil {
		return err
	}
	if err := a.batch.Checked(a.fresh); err != nil {
		return err
	}
	if err := a.expected(); err != nil {
		return err
	}
	if err := a.number(); err != nil {
		return err
	}
	again, err := a.admit()
	if err != nil {
		return err
	}
	if err := a.arrive(); err != nil {
		return err
	}
	if err := a.insert(); err != nil {
		return err
	}
	if err := a.index(); err != nil {
		return err
	}
	if a.batch.Obey {
		due, err := a.due()
		if err != nil {
			return err
		}
		again = append(again, due...)
	}
	if len(a.added) == 0 && len(again) == 0 {
		return nil
	}
	a.refolded, err = store.Refold(a.rows, a.added, func(id memory.ID) bool { return a.awaited[id] }, again, a.now)
	if err == nil {
		err = a.failed
	}
	if err != nil {
		return err
	}
	return a.writeStates()
}

// mostDue is how many records with a claim that has come due are folded again with a batch.
const mostDue = 100

// due returns records about which a claim that was dated ahead has come due: it may be a purge, and whoever
// obeys erases the bytes then.
func (a *appending) due() ([]*memory.Record, error) {
	var ids []memory.ID
	err := a.on.Each(a.ctx, func(rows *sql.Rows) error {
		var id memory.ID
		err := rows.Scan(session.AsID(&id))
		ids = append(ids, id)
		return err
	}, "SELECT r.id FROM state s JOIN records r ON r.key = s.key WHERE s.due <= ? LIMIT ?", a.now.UnixMilli(), mostDue)
	if err != nil {
		return nil, err
	}
	var out []*memory.Record
	for _, id := range ids {
		r, err := a.Record(id)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return out, nil
}

// expected returns store.ErrConflict unless all that the batch expects is so.
func (a *appending) expected() error {
	for _, id := range a.batch.Expect {
		if gone, err := store.Superseded(a.rows, id, a.now); gone || err != nil {
			return conflict(err)
		}
	}
	for _, d := range a.batch.Absent {
		if made, err := store.Derived(a.rows, d); made || err != nil {
			return conflict(err)
		}
	}
	for _, s := range a.batch.Unsaid {
		if said, err := a.said(s); said || err != nil {
			return conflict(err)
		}
	}
	if a.failed != nil || !a.batch.NewAliases {
		return a.failed
	}
	return a.aliasesFree()
}

// said reports whether a record says what a saying asks about.
func (a *appending) said(s store.Saying) (bool, error) {
	var no int
	held, err := a.on.One(a.ctx, []any{&no}, "SELECT no FROM spaces WHERE name = ?", s.Space)
	if !held || err != nil {
		return false, err
	}
	var ids []memory.ID
	if err := a.on.Each(a.ctx, func(r *sql.Rows) error {
		var id memory.ID
		err := r.Scan(session.AsID(&id))
		ids = append(ids, id)
		return err
	}, "SELECT id FROM records WHERE kind = ? AND key > ? AND key < ?", s.Kind.Form().Number,
		session.FirstKey(no)+int64(s.After), session.FirstKey(no+1)); err != nil {
		return false, err
	}
	for _, id := range ids {
		if r, err := a.Record(id); err != nil || r != nil && s.Is(r) {
			return err == nil, err
		}
	}
	return false, nil
}

func conflict(err error) error {
	if err != nil {
		return err
	}
	return store.ErrConflict
}

func (a *appending) aliasesFree() error {
	const query = "SELECT x.key FROM aliases x JOIN spaces p ON p.no = x.space WHERE p.name = ? AND x.alias = ? LIMIT 1"
	taken := make(map[string]bool)
	for _, r := range a.fresh {
		for _, alias := range r.Header.Alias {
			var key int64
			held, err := a.on.One(a.ctx, []any{&key}, query, r.Header.Space, digest(alias))
			in := r.Header.Space + "\x00" + alias
			if held || taken[in] || err != nil {
				return conflict(err)
			}
			taken[in] = true
		}
	}
	return nil
}

// number returns the new records their keys. The counter of each space is locked
// until the transaction ends, so that places in a log are committed in order.
func (a *appending) number() error {
	bySpace := make(map[string][]*memory.Record)
	var spaces []string
	for _, r := range a.fresh {
		space := r.Header.Space
		if bySpace[space] == nil {
			spaces = append(spaces, space)
		}
		bySpace[space] = append(bySpace[space], r)
	}
	numbers := make(map[string]int)
	for _, space := range spaces { // in the order in which the logs begin
		no, err := a.s.names.Intern(a.ctx, a.on, lists.Spaces, space)
		if err != nil {
			return err
		}
		numbers[space] = no
	}
	slices.Sort(spaces) // two that lock several take them in the same order
	arrival, err := a.arrival(bySpace, numbers)
	if err != nil {
		return err
	}
	for _, space := range spaces {
		n, now := int64(len(bySpace[space])), arrival[space]
		var last, indexed, came int64
		var tree []byte
		home := true
		if _, err := a.on.One(a.ctx, []any{&last, &indexed, &came, &tree, &home}, a.on.Dialect.NextPlaces, n, now, now,
			numbers[space]); err != nil {
			return err
		}
		other := func(r *memory.Record) bool { return r.Header.Kind != memory.KindKey }
		if !home && (!slices.Contains(a.guests, space) || slices.ContainsFunc(bySpace[space], other)) {
			return fmt.Errorf("%w: the space %s has moved to another shard", store.ErrBusy, space)
		}
		if err := a.grow(numbers[space], last-n, tree, bySpace[space]); err != nil {
			return err
		}
		for i, r := range bySpace[space] {
			a.keys[r.ID] = session.FirstKey(numbers[space]) + last - n + int64(i) + 1
			a.records[r.ID] = r
			a.states[r.ID] = new(known)
			a.alone[r.ID] = true
			a.came[r.ID] = came
		}
		if last-indexed > backlog {
			a.toIndex = append(a.toIndex, indexing{numbers[space], indexed, last, bySpace[space]})
		}
	}
	return nil
}

// arrival says when the new records of each space come: now, or where the end of a key
// is among them, after what comes to other spaces with it, and what came there before
// when the clock showed more: it was said before.
func (a *appending) arrival(bySpace map[string][]*memory.Record, numbers map[string]int) (map[string]int64, error) {
	now, out := a.now.UnixMilli(), make(map[string]int64)
	for space, rs := range bySpace {
		out[space] = now
		if !slices.ContainsFunc(rs, (*memory.Record).Ends) {
			continue
		}
		if len(bySpace) > 1 {
			out[space] = now + 1
		}
		var latest sql.NullInt64
		if _, err := a.on.One(
			a.ctx, []any{&latest}, "SELECT MAX(came) FROM spaces WHERE no <> ?", numbers[space],
		); err != nil {
			return nil, err
		}
		if latest.Int64 > now {
			out[space] = latest.Int64 + 1
		}
	}
	return out, nil
}

// arrive turns the arrows that waited for the new records into edges. One that
// names another kind than the record's turns out to be none.
func (a *appending) arrive() error {
	ids := make([]memory.ID, len(a.fresh))
	for i, r := range a.fresh {
		ids[i] = r.ID
	}
	type arrow struct {
		src      int64
		ord      int
		from, to memory.ID
		rel      graph.Relation
	}
	var waiting []arrow
	for part := range slices.Chunk(ids, session.MostListed) {
		query, args := session.SpreadFor(`SELECT e.src, e.ord, r.id, e.rel, e.dst FROM dangling e
			JOIN records r ON r.key = e.src WHERE e.dst IN (…)`, part, session.Blob)
		err := a.on.Each(a.ctx, func(r *sql.Rows) error {
			var w arrow
			err := r.Scan(&w.src, &w.ord, session.AsID(&w.from), &w.rel, session.AsID(&w.to))
			waiting = append(waiting, w)
			return err
		}, query, args...)
		if err != nil {
			return err
		}
	}
	edges := session.Pile{Into: insertEdges, Row: "(?,?,?,?)"}
	for _, w := range waiting {
		if err := a.on.Exec(a.ctx, "DELETE FROM dangling WHERE src = ? AND ord = ?", w.src, w.ord); err != nil {
			return err
		}
		a.on.Cleared = true
		from, err := a.Record(w.from)
		if err != nil {
			return err
		}
		e := graph.Edge{From: w.from, Rel: w.rel, To: w.to}
		if from != nil && !store.Draws(from, e, a.records[w.to].Header.Kind) {
			continue
		}
		a.awaited[w.to] = true
		delete(a.alone, w.to)
		edges.Add(w.src, w.ord, int(w.rel), a.keys[w.to])
	}
	return edges.Flush(a.ctx, a.on)
}

// index makes segments of waiting and new words.
func (a *appending) index() error {
	for _, in := range a.toIndex {
		old := in.upTo - int64(len(in.fresh))
		entries, err := entriesOf(a.ctx, a.on, in.space, in.after, old)
		if err != nil {
			return err
		}
		for _, r := range in.fresh {
			kind, err := a.s.names.Intern(a.ctx, a.on, lists.Kinds, string(r.Header.Kind))
			if err != nil {
				return err
			}
			conversation, _ := sessionKey(r.Header.Session).(int64)
			if e := index.Describe(a.keys[r.ID], kind, uint64(conversation), r); len(e.Terms) > 0 {
				entries = append(entries, e)
			}
		}
		x := &indexer{a.ctx, a.on, in.space}
		if err := x.index(entries, in.after, in.upTo); err != nil {
			return err
		}
	}
	return nil
}
