package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
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
	// The same of records whose places in the log were read: ids are in no order, and looking each one up reads a page.
	edgesForwardAt = `SELECT e.src, e.ord, e.rel, r.id, d.id FROM edges e
			JOIN records d ON d.key = e.dst JOIN records r ON r.key = e.src WHERE e.dst IN (…)`
	danglingTo = `SELECT e.src, e.ord, e.rel, r.id, e.dst FROM dangling e
			JOIN records r ON r.key = e.src WHERE e.dst IN (…)`
)

// readEdges is Edges on the database itself, without the fallback.
func (s *Store) readEdges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	m := s.moment(ctx)
	known, unknown := m.edgesOf(dir, ids)
	if len(unknown) > 0 {
		found, err := s.askEdges(ctx, dir, unknown, m)
		if err != nil {
			return nil, err
		}
		for _, id := range unknown {
			if known[id] = found[id]; m != nil {
				m.keepEdges(dir, id, found[id])
			}
		}
	}
	var out []graph.Edge
	for _, id := range ids {
		out = append(out, known[id]...)
		delete(known, id) // each once
	}
	return out, nil
}

// askEdges returns the edges of each of ids.
func (s *Store) askEdges(
	ctx context.Context, dir graph.Direction, ids []memory.ID, m *moment,
) (map[memory.ID][]graph.Edge, error) {
	type arrow struct {
		graph.Edge
		of       memory.ID
		src, ord int64
	}
	query := edgesBack
	if dir == graph.Forward {
		query = edgesForward
	}
	var found []arrow
	read := func(query string, args []any) error {
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var a arrow
			if err := rows.Scan(&a.src, &a.ord, &a.Rel, session.AsID(&a.From), session.AsID(&a.To)); err != nil {
				return err
			}
			a.of = a.From
			if dir == graph.Forward {
				a.of = a.To
			}
			found = append(found, a)
			return nil
		}, query, args...)
		return s.Failed("follow edges in", err)
	}
	unread := ids
	if keys, rest := m.rowsOf(ids); dir == graph.Forward && len(keys) > 0 {
		unread = rest
		for part := range slices.Chunk(keys, session.MostListed) {
			if err := read(session.SpreadFor(edgesForwardAt, part, func(k int64) any { return k })); err != nil {
				return nil, err
			}
		}
		for part := range slices.Chunk(ids, session.MostListed) {
			if err := read(session.SpreadFor(danglingTo, part, session.Blob)); err != nil {
				return nil, err
			}
		}
	}
	for part := range slices.Chunk(unread, session.MostListed) {
		query, args := session.SpreadFor(query, part, session.Blob)
		if err := read(query, append(args, args...)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b arrow) int {
		return cmp.Or(a.of.Compare(b.of), cmp.Compare(a.src, b.src), cmp.Compare(a.ord, b.ord))
	})
	out := make(map[memory.ID][]graph.Edge)
	for i, a := range found {
		if i == 0 || found[i-1].src != a.src || found[i-1].ord != a.ord || found[i-1].of != a.of {
			out[a.of] = append(out[a.of], a.Edge) // an id named in two parts is read twice
		}
	}
	return out, nil
}
