package sqlstore

import (
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// around is what a check of neighbouring records compares them with, read at once: a query for
// each record costs more than all else. Where that fails, each is read by itself, so that the
// record at fault is named.
type around struct {
	rows    *rows
	loaded  map[int64]*memory.Record
	columns map[int64][3]any // author, session, number of signatures
	aliases map[aliasAt]bool
	edges   map[memory.ID][]graph.Edge
}

type aliasAt struct {
	key    int64
	digest string
}

// readAround reads what a page is compared with, nil where something cannot be read.
func (c *checking) readAround(page []*row) *around {
	a := &around{
		rows: newRowsFor(c.ctx, c.s, c.s.read, len(page)), loaded: make(map[int64]*memory.Record, len(page)),
		columns: make(map[int64][3]any, len(page)), aliases: make(map[aliasAt]bool),
		edges: make(map[memory.ID][]graph.Edge),
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
	for _, read := range []func([]*row, []memory.ID) error{a.readColumns, a.readAliases, a.readEdges, a.readClaims} {
		if read(page, ids) != nil {
			return nil
		}
	}
	return a
}

func (a *around) readColumns(page []*row, _ []memory.ID) error {
	return a.rows.on.each(a.rows.ctx, func(rows *sql.Rows) error {
		var key int64
		var is [3]any
		err := rows.Scan(&key, &is[0], &is[1], &is[2])
		a.columns[key] = is
		return err
	}, "SELECT key, author, session, more FROM records WHERE key >= ? AND key <= ?", page[0].key, page[len(page)-1].key)
}

func (a *around) readAliases(page []*row, _ []memory.ID) error {
	bySpace := make(map[int64][][]byte)
	for _, r := range page {
		if rec := a.loaded[r.key]; rec != nil {
			for _, alias := range rec.Header.Alias {
				bySpace[r.key>>seqBits] = append(bySpace[r.key>>seqBits], digest(alias))
			}
		}
	}
	for space, all := range bySpace {
		for part := range slices.Chunk(all, mostListed) {
			query, args := spreadFor("SELECT key, alias FROM aliases WHERE alias IN (…) AND space = ?", part,
				func(d []byte) any { return d })
			err := a.rows.on.each(a.rows.ctx, func(rows *sql.Rows) error {
				var at aliasAt
				err := rows.Scan(&at.key, &at.digest)
				a.aliases[at] = true
				return err
			}, query, append(args, space)...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *around) readEdges(_ []*row, ids []memory.ID) error {
	all, err := a.rows.s.readEdges(a.rows.ctx, graph.Back, ids...)
	for _, e := range all {
		a.edges[e.From] = append(a.edges[e.From], e)
	}
	return err
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
	_, err = c.s.read.one(c.ctx, []any{&author, &session, &more}, query, key)
	return author, session, more, err
}

// aliased reports whether an id elsewhere is listed for a record.
func (c *checking) aliased(key int64, digest []byte) (bool, error) {
	if c.around != nil {
		return c.around.aliases[aliasAt{key, string(digest)}], nil
	}
	const query = "SELECT key FROM aliases WHERE space = ? AND alias = ? AND key = ?"
	return c.s.read.one(c.ctx, []any{&key}, query, key>>seqBits, digest, key)
}

// stored returns the arrows that are stored of a record.
func (c *checking) stored(id memory.ID) ([]graph.Edge, error) {
	if c.around != nil {
		return c.around.edges[id], nil
	}
	return c.s.Edges(c.ctx, graph.Back, id)
}
