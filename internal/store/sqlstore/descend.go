package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

const (
	descendFirst = "SELECT id, key FROM records WHERE id IN (…)"
	descendNext  = "SELECT dst, src, ord FROM edges WHERE dst IN (…) AND rel = 1"
	descendIDs   = `SELECT r.key, r.id,
		(SELECT count(*) FROM edges e WHERE e.src = r.key AND e.rel = 1) + (SELECT count(*) FROM dangling d WHERE d.src = ` +
		`r.key AND d.rel = 1)
		FROM records r WHERE r.key IN (…)`
)

// Descendants returns some records and everything derived from them, directly or not, each
// once, the nearest first: the first own of ids are the requested ones. Arrows are the
// derivations among them, as places in ids of the newer and the older, in the order in which
// Edges would return them level by level. Outside are the derivations of the later ids from
// anything else. It returns false if a requested record is not held.
func (s *Store) Descendants(
	ctx context.Context, roots ...memory.ID,
) (ids []memory.ID, own int, arrows [][2]int32, outside []graph.Edge, ok bool, err error) {
	d := descent{s: s, ctx: ctx, place: make(map[int64]int32)}
	if ok, err = d.begin(roots); err == nil && ok {
		if err = d.follow(); err == nil {
			err = d.name()
		}
	}
	if err != nil || !ok {
		return nil, 0, nil, nil, false, s.Failed("follow edges in", err)
	}
	outside, err = d.outside()
	return d.ids, d.own, d.arrows, outside, true, err
}

// descent uses the keys of records, which are smaller than their ids and are in the index of
// edges.
type descent struct {
	s       *Store
	ctx     context.Context
	keys    []int64
	own     int
	place   map[int64]int32
	ids     []memory.ID
	arrows  [][2]int32
	sources []int32 // of each, how many are among them
	more    []int32 // those that have others too
}

func (d *descent) begin(roots []memory.ID) (bool, error) {
	held := make(map[memory.ID]int64, len(roots))
	for part := range slices.Chunk(roots, session.MostListed) {
		query, args := session.SpreadFor(descendFirst, part, session.Blob)
		err := d.s.read.Each(d.ctx, func(rows *sql.Rows) error {
			var id memory.ID
			var key int64
			err := rows.Scan(session.AsID(&id), &key)
			held[id] = key
			return err
		}, query, args...)
		if err != nil {
			return false, err
		}
	}
	for _, id := range roots {
		if held[id] == 0 {
			return false, nil
		}
		d.add(held[id])
	}
	d.own = len(d.keys)
	return true, nil
}

func (d *descent) add(key int64) int32 {
	at, there := d.place[key]
	if !there {
		at = int32(len(d.keys))
		d.place[key] = at
		d.keys, d.sources = append(d.keys, key), append(d.sources, 0)
	}
	return at
}

// follow goes from level to level.
func (d *descent) follow() error {
	type arrow struct{ dst, src, ord int64 }
	for begin := 0; begin < len(d.keys); {
		level := d.keys[begin:]
		begin = len(d.keys)
		found, err := byKey(
			d, descendNext, level,
			func(rows *sql.Rows, a *arrow) error { return rows.Scan(&a.dst, &a.src, &a.ord) },
		)
		if err != nil {
			return err
		}
		sorting.By(found, func(a, b arrow) int {
			return cmp.Or(cmp.Compare(d.place[a.dst], d.place[b.dst]), cmp.Compare(a.src, b.src), cmp.Compare(a.ord, b.ord))
		})
		for _, a := range found {
			at := d.add(a.src)
			d.sources[at]++
			d.arrows = append(d.arrows, [2]int32{at, d.place[a.dst]})
		}
	}
	return nil
}

// name finds the ids, and who has sources elsewhere.
func (d *descent) name() error {
	type named struct {
		key     int64
		sources int32
		is      memory.ID
	}
	found, err := byKey(d, descendIDs, d.keys, func(rows *sql.Rows, n *named) error {
		return rows.Scan(&n.key, session.AsID(&n.is), &n.sources)
	})
	if err != nil {
		return err
	}
	d.ids = make([]memory.ID, len(d.keys))
	for _, n := range found {
		at := d.place[n.key]
		d.ids[at] = n.is
		if int(at) >= d.own && n.sources > d.sources[at] {
			d.more = append(d.more, at)
		}
	}
	slices.Sort(d.more)
	return nil
}

// outside returns the derivations from records that are not among the ids.
func (d *descent) outside() ([]graph.Edge, error) {
	if len(d.more) == 0 {
		return nil, nil
	}
	ids := make([]memory.ID, len(d.more))
	for i, at := range d.more {
		ids[i] = d.ids[at]
	}
	edges, err := d.s.Edges(d.ctx, graph.Back, ids...)
	if err != nil {
		return nil, err
	}
	among := make(map[memory.ID]bool, len(d.ids))
	for _, id := range d.ids {
		among[id] = true
	}
	return slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Rel != graph.DerivedFrom || among[e.To] }), nil
}

// byKey asks a query of keys, with several readers at a time.
func byKey[T any](d *descent, query string, keys []int64, scan func(*sql.Rows, *T) error) ([]T, error) {
	parts := slices.Collect(slices.Chunk(keys, session.MostListed))
	found, failed := make([][]T, len(parts)), make([]error, len(parts))
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(readConns, runtime.GOMAXPROCS(0), len(parts)) {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				query, args := session.SpreadFor(query, parts[i], func(key int64) any { return key })
				failed[i] = d.s.read.Each(d.ctx, func(rows *sql.Rows) error {
					var one T
					err := scan(rows, &one)
					found[i] = append(found[i], one)
					return err
				}, query, args...)
			}
		})
	}
	readers.Wait()
	return slices.Concat(found...), errors.Join(failed...)
}
