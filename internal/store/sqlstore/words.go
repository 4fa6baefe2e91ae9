package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// mostMerges is how often a search begins again because segments were merged
// meanwhile.
const mostMerges = 20

// readMatch is Match on the database itself, without the fallback.
func (s *Store) readMatch(ctx context.Context, m store.Match) ([]store.Hit, error) {
	hits, err := s.match(ctx, m)
	return hits, s.Failed("search", err)
}

func (s *Store) match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	terms := index.Askable(m.Terms)
	if len(terms) == 0 {
		return nil, ctx.Err()
	}
	spaces, kinds, err := s.scope(ctx, m.Spaces, m.Kinds)
	if err != nil || len(spaces) == 0 || len(kinds) == 0 {
		return nil, err
	}
	var only []int64
	if m.Decided {
		if only, err = s.decidedNow(ctx, spaces); err != nil || len(only) == 0 {
			return nil, err
		}
	}
	if err := s.catchUp(ctx, spaces); err != nil {
		return nil, err
	}
	var views []*index.View
	for try := 0; ; try++ {
		views, err = s.views(ctx, spaces, index.Wanted(terms, m.Prefer, m.Has...))
		if !errors.Is(err, errGone) || try == mostMerges {
			break
		}
		s.moments.forget()
	}
	if err != nil {
		return nil, err
	}
	q := index.Query{
		Terms: terms, Prefer: m.Prefer, Has: m.Has, Only: only, Limit: m.Limit, Passed: m.Passed,
		Kind:       func(k int) bool { return lists.AsksFor(kinds, k) },
		Propagates: func(k int) bool { return k <= lists.LastMemory },
	}
	if !m.Hidden {
		q.Shown = func(keys []int64) ([]bool, error) { return s.shownOf(ctx, keys) }
	}
	hits, err := index.Search(views, q)
	if err != nil {
		return nil, err
	}
	s.renewOne(ctx)
	if m.Least > 0 { // before their names are read
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return len(h.Has(terms)) < m.Least })
	}
	return s.named(ctx, hits, terms)
}

// renewOne renews one of the segments of an older version that a search has met: until then they answer as they are.
// Where it cannot write, that is how it stays.
func (s *Store) renewOne(ctx context.Context) {
	old := s.aged.Swap(nil)
	if old == nil || s.readOnly {
		return
	}
	if err := s.renew(ctx, *old); err != nil {
		s.forgetFilling()
	}
}

// scope returns the numbers of spaces and kinds that are asked for, not more spaces than can be searched at once.
func (s *Store) scope(ctx context.Context, names []string, kinds []memory.Kind) (spaces, kindNos []int, err error) {
	spaces, kindNos, err = s.numbers(ctx, names, kinds)
	if len(spaces) > session.MostListed {
		return nil, nil, fmt.Errorf("at most %d spaces can be searched at once, got %d", session.MostListed, len(spaces))
	}
	return spaces, kindNos, err
}

// numbers returns those of spaces and kinds that are asked for.
func (s *Store) numbers(ctx context.Context, names []string, kinds []memory.Kind) (spaces, kindNos []int, err error) {
	if kindNos, err = s.names.KindsOf(ctx, s.read, kinds); err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		all, err := s.readSpaces(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, sp := range all {
			names = append(names, sp.Name)
		}
	}
	for _, name := range names {
		no, err := s.names.Number(ctx, s.read, lists.Spaces, name)
		if err != nil {
			return nil, nil, err
		}
		if no != 0 && !slices.Contains(spaces, no) {
			spaces = append(spaces, no)
		}
	}
	slices.Sort(spaces)
	return spaces, kindNos, nil
}

// views reads what the index has of some terms in some spaces: its segments,
// then what waits.
func (s *Store) views(ctx context.Context, spaces []int, terms []string) ([]*index.View, error) {
	waits, err := s.waitingAt(ctx, spaces) // first: what waits now may be in a segment soon
	if err != nil {
		return nil, err
	}
	var views []*index.View
	for _, space := range spaces {
		upTo := int64(-1)
		i := slices.IndexFunc(waits, func(w waiting) bool { return w.space == space })
		if i >= 0 {
			upTo = waits[i].indexed
		}
		some, err := s.indexed(ctx, space, upTo, terms)
		if err != nil {
			return nil, err
		}
		views = append(views, some...)
		if i < 0 {
			continue
		}
		v, err := s.ofWaiting(ctx, waits[i], terms)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// ofWaiting returns a view of what waits in a space. Records do not change, so it is made again
// where others wait, or one was purged.
func (s *Store) ofWaiting(ctx context.Context, w waiting, terms []string) (*index.View, error) {
	u := unreadSpace{waiting: w}
	const query = "SELECT count(*), CAST(coalesce(sum(key), 0) AS BIGINT) FROM payloads WHERE key > ? AND key <= ?"
	first := session.FirstKey(w.space)
	if _, err := s.read.One(ctx, []any{&u.count, &u.sum}, query, first+w.indexed, first+w.last); err != nil {
		return nil, err
	}
	s.unread.mu.Lock()
	was := s.unread.known[w.space]
	s.unread.mu.Unlock()
	if u.head, u.parts = was.head, was.parts; was.waiting != u.waiting || was.count != u.count || was.sum != u.sum {
		entries, err := entriesOf(ctx, s.read, w.space, w.indexed, w.last)
		if err != nil {
			return nil, err
		}
		u.parts = index.Build(entries)
		if u.head, err = index.Open(u.parts[0]); err != nil {
			return nil, err
		}
		s.unread.mu.Lock()
		if s.unread.known == nil || len(s.unread.known) == session.MostListed {
			s.unread.known = make(map[int]unreadSpace)
		}
		s.unread.known[w.space] = u
		s.unread.mu.Unlock()
	}
	v := index.NewView(w.space, u.head)
	for _, t := range terms {
		if n := u.head.Block(t); n > 0 {
			if err := v.Put(t, u.parts[n]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// indexed returns views of the segments of a space, those up to a place in its
// log; -1 is all.
func (s *Store) indexed(ctx context.Context, space int, upTo int64, terms []string) ([]*index.View, error) {
	all, err := remember(s.moment(ctx), func(m *moment) map[int][]segment { return m.segments }, space,
		func() ([]segment, error) { return segmentsOf(ctx, s.read, space) })
	if err != nil {
		return nil, err
	}
	if upTo >= 0 && len(all) > 0 && all[len(all)-1].last > upTo {
		return nil, errGone // what waited has just become a segment
	}
	if i := slices.IndexFunc(all, func(g segment) bool { return g.version < index.Version }); i >= 0 {
		s.aged.Store(&all[i])
	}
	heads, err := s.heads.of(ctx, s.read, space, all)
	if err != nil {
		return nil, err
	}
	var views []*index.View
	for i, g := range all {
		v := index.NewView(space, heads[i])
		v.Aged = g.version < index.Marked
		if err := s.fill(ctx, v, g, heads[i], terms); err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// fill reads the blocks of a segment in which the terms are, of those that are not known yet.
func (s *Store) fill(ctx context.Context, v *index.View, g segment, h *index.Head, terms []string) error {
	wanted := make(map[int][]string)
	var blocks []int
	for _, t := range s.terms.give(v, h, terms) {
		n := h.Block(t)
		if n == 0 {
			continue
		}
		if wanted[n] == nil {
			blocks = append(blocks, n)
		}
		wanted[n] = append(wanted[n], t)
	}
	found := 0
	for part := range slices.Chunk(blocks, session.MostListed) {
		query, args := session.SpreadFor(
			"SELECT part, bytes FROM segment_parts WHERE space = ? AND no = ? AND part IN (…)", part, session.AnyInt,
		)
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var n int
			var block sql.RawBytes
			if err := rows.Scan(&n, &block); err != nil {
				return err
			}
			found++
			for _, t := range wanted[n] {
				p, err := index.Find(block, t)
				if err != nil {
					return err
				}
				p = p.Clone()
				v.Set(t, p)
				s.terms.keep(h, t, p)
			}
			return nil
		}, query, append([]any{g.space, g.no}, args...)...)
		if err != nil {
			return err
		}
	}
	if found < len(blocks) {
		return errGone
	}
	return nil
}

// idsOf returns the ids of keys.
func (s *Store) idsOf(ctx context.Context, keys []int64) (map[int64]memory.ID, error) {
	m := s.moment(ctx)
	return rememberEach(m, func(m *moment) map[int64]memory.ID { return m.ids }, keys,
		func(keys []int64) (map[int64]memory.ID, []int64, error) {
			ids, err := s.askIDs(ctx, keys)
			if m != nil && err == nil {
				m.place(ids)
			}
			return ids, nil, err
		})
}

// askIDs is idsOf by the database itself.
func (s *Store) askIDs(ctx context.Context, keys []int64) (map[int64]memory.ID, error) {
	ids := make(map[int64]memory.ID, len(keys))
	for part := range slices.Chunk(keys, session.MostListed) {
		query, args := session.SpreadFor("SELECT key, id FROM records WHERE key IN (…)", part, func(k int64) any { return k })
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var key int64
			var id memory.ID
			err := rows.Scan(&key, session.AsID(&id))
			ids[key] = id
			return err
		}, query, args...)
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// named puts ids in the place of keys, and terms in the place of their numbers.
func (s *Store) named(ctx context.Context, found []index.Hit, terms []string) ([]store.Hit, error) {
	keys := make([]int64, len(found))
	for i, h := range found {
		keys[i] = h.Key
	}
	ids, err := s.idsOf(ctx, keys)
	if err != nil {
		return nil, err
	}
	out := make([]store.Hit, 0, len(found))
	for _, h := range found {
		id, held := ids[h.Key]
		if !held {
			return nil, session.Derived(fmt.Errorf("%w: the index of words has a record that does not exist", store.ErrDamaged))
		}
		hit := store.Hit{
			ID:         id,
			Score:      h.Score,
			Own:        h.Own,
			Propagated: h.Propagated,
			Session:    h.Session, Held: h.Held,
			Terms:  h.Has(terms),
			Past:   h.Past,
			Hidden: h.Hidden,
		}
		if hit.Kind, err = s.names.Kind(ctx, s.read, h.Kind); err != nil {
			return nil, err
		}
		out = append(out, hit)
	}
	return out, nil
}
