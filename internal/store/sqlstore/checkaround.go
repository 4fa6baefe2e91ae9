package sqlstore

import (
	"database/sql"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// around is what a check of neighbouring records compares them with, read at once: a query for
// each record costs more than all else. Where that fails, each is read by itself, so that the
// record at fault is named.
type around struct {
	rows    *rows
	loaded  map[int64]*memory.Record
	columns map[int64][3]any // author, session, number of signatures
	edges   map[memory.ID][]graph.Edge
}

// readAround reads what a page is compared with, nil where something cannot be read.
func (c *checking) readAround(page []*row) *around {
	a := &around{
		rows: newRowsFor(c.ctx, c.s, c.s.read, len(page)), loaded: make(map[int64]*memory.Record, len(page)),
		columns: make(map[int64][3]any, len(page)), edges: make(map[memory.ID][]graph.Edge),
	}
	var ids []memory.ID
	for _, r := range page {
		if r.bytes == nil {
			continue
		}
		rec, err := memory.Load(r.bytes)
		if err != nil || rec.ID != r.id {
			return nil
		}
		s, err := decodeState(rec, r.flags, r.fold)
		if err != nil {
			return nil
		}
		a.loaded[r.key] = rec
		a.rows.keys[r.id], a.rows.records[r.id] = r.key, rec
		a.rows.states[r.id] = &known{state: s, is: r.flags.Valid, inRow: r.flags.Valid}
		ids = append(ids, r.id)
	}
	if len(ids) == 0 {
		return a
	}
	for _, read := range []func([]*row, []memory.ID) error{a.readColumns, a.readEdges, a.readClaims} {
		if read(page, ids) != nil {
			return nil
		}
	}
	return a
}

func (a *around) readColumns(page []*row, _ []memory.ID) error {
	return a.rows.on.Each(a.rows.ctx, func(rows *sql.Rows) error {
		var key int64
		var is [3]any
		err := rows.Scan(&key, &is[0], &is[1], &is[2])
		a.columns[key] = is
		return err
	}, "SELECT key, author, session, more FROM records WHERE key >= ? AND key <= ?", page[0].key, page[len(page)-1].key)
}

// pageEdges are the arrows of neighbouring records.
const pageEdges = `SELECT e.src, e.ord, e.rel, d.id FROM edges e JOIN records d ON d.key = e.dst
		WHERE e.src >= ? AND e.src <= ?
	UNION ALL
	SELECT src, ord, rel, dst FROM dangling WHERE src >= ? AND src <= ? ORDER BY 1, 2`

func (a *around) readEdges(page []*row, _ []memory.ID) error {
	first, last := page[0].key, page[len(page)-1].key
	return a.rows.on.Each(a.rows.ctx, func(rows *sql.Rows) error {
		var src, ord int64
		var e graph.Edge
		err := rows.Scan(&src, &ord, &e.Rel, session.AsID(&e.To))
		if rec := a.loaded[src]; rec != nil {
			e.From = rec.ID
			a.edges[e.From] = append(a.edges[e.From], e)
		}
		return err
	}, pageEdges, first, last, first, last)
}

// readClaims reads what points at the records, and what they were made of.
func (a *around) readClaims(_ []*row, ids []memory.ID) error {
	if err := a.rows.Ahead(ids, graph.Speaks, graph.LinkSource, graph.LinkTarget, graph.Supersedes); err != nil {
		return err
	}
	var sources []memory.ID
	for _, rec := range a.loaded {
		for _, ref := range rec.Header.Provenance.From {
			sources = append(sources, ref.ID)
		}
	}
	return a.rows.readAll(sources)
}

// record returns a record of the page, or reads it.
func (a *around) record(r *row) (*memory.Record, error) {
	if a != nil && a.loaded[r.key] != nil {
		return a.loaded[r.key], nil
	}
	return memory.Load(r.bytes)
}

// shared returns what folds the states of the page, nil where there is none.
func (a *around) shared() *rows {
	if a == nil {
		return nil
	}
	return a.rows
}

// columnsOf returns what the log has of a record, as it lies there.
func (c *checking) columnsOf(key int64) (author, session, more any, err error) {
	if c.around != nil {
		is := c.around.columns[key]
		return is[0], is[1], is[2], nil
	}
	const query = "SELECT author, session, more FROM records WHERE key = ?"
	_, err = c.s.read.One(c.ctx, []any{&author, &session, &more}, query, key)
	return author, session, more, err
}

// stored returns the arrows that are stored of a record.
func (c *checking) stored(id memory.ID) ([]graph.Edge, error) {
	if c.around != nil {
		return c.around.edges[id], nil
	}
	return c.s.Edges(c.ctx, graph.Back, id)
}
