package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// The arrows of some records, held and dangling ones.
const (
	edgesBack = `SELECT e.src, e.ord, e.rel, r.id, d.id FROM records r
			JOIN edges e ON e.src = r.key JOIN records d ON d.key = e.dst WHERE r.id IN (…)
		UNION ALL
		SELECT e.src, e.ord, e.rel, r.id, e.dst FROM records r
			JOIN dangling e ON e.src = r.key WHERE r.id IN (…)`
	edgesForward = `SELECT e.src, e.ord, e.rel, r.id, d.id FROM records d
			JOIN edges e ON e.dst = d.key JOIN records r ON r.key = e.src WHERE d.id IN (…)
		UNION ALL
		SELECT e.src, e.ord, e.rel, r.id, e.dst FROM dangling e
			JOIN records r ON r.key = e.src WHERE e.dst IN (…)`
)

// readEdges is Edges on the database itself, without the fallback.
func (s *Store) readEdges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	type arrow struct {
		graph.Edge
		of       int // the place among ids
		src, ord int64
	}
	place := make(map[memory.ID]int, len(ids))
	for i, id := range slices.Backward(ids) {
		place[id] = i
	}
	query := edgesBack
	if dir == graph.Forward {
		query = edgesForward
	}
	var found []arrow
	for part := range slices.Chunk(ids, mostListed) {
		query, args := spreadFor(query, part, blob)
		args = append(args, args...)
		err := s.read.each(ctx, func(rows *sql.Rows) error {
			var a arrow
			if err := rows.Scan(&a.src, &a.ord, &a.Rel, asID(&a.From), asID(&a.To)); err != nil {
				return err
			}
			a.of = place[a.From]
			if dir == graph.Forward {
				a.of = place[a.To]
			}
			found = append(found, a)
			return nil
		}, query, args...)
		if err != nil {
			return nil, s.failed("follow edges in", err)
		}
	}
	slices.SortFunc(found, func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.src, b.src), cmp.Compare(a.ord, b.ord))
	})
	out := make([]graph.Edge, 0, len(found))
	for i, a := range found {
		if i == 0 || found[i-1].src != a.src || found[i-1].ord != a.ord || found[i-1].of != a.of {
			out = append(out, a.Edge) // an id named in two parts is read twice
		}
	}
	return out, nil
}
