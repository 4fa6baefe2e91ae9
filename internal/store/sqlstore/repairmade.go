package sqlstore

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// arrows writes the arrows and aliases of all records again. Those of purged records
// are kept as they are.
func (x *repairing) arrows() error {
	p := newPiles(x.w.Dialect)
	if err := x.kept(p); err != nil {
		return err
	}
	for _, query := range []string{"DELETE FROM edges", "DELETE FROM dangling", "DELETE FROM aliases"} {
		if err := x.w.Exec(x.ctx, query); err != nil {
			return err
		}
	}
	flush := func() error {
		for _, one := range []*session.Pile{&p.edges, &p.dangling, &p.aliases} {
			if err := one.Flush(x.ctx, x.w); err != nil {
				return err
			}
		}
		return nil
	}
	if err := flush(); err != nil {
		return err
	}
	return x.each("arrows drawn", func(page []heldRow) error {
		for _, one := range page {
			r := one.rec
			if x.places[r.ID].key != one.key {
				continue
			}
			for _, alias := range r.Header.Alias {
				p.aliases.Add(one.key>>session.SeqBits, digest(alias), one.key)
			}
			for i, e := range graph.Edges(r) {
				to, held := x.places[e.To]
				switch {
				case !held:
					p.dangling.Add(one.key, i, int(e.Rel), slices.Clone(e.To[:]))
				case store.Draws(r, e, to.kind):
					p.edges.Add(one.key, i, int(e.Rel), to.key)
					if to.key > one.key {
						x.awaited[e.To] = true
					}
				default:
					continue
				}
				x.done.Edges++
			}
		}
		return flush()
	})
}

// kept collects what is known about records without their bytes.
func (x *repairing) kept(p *piles) error {
	if len(x.gone) == 0 {
		return nil
	}
	keys := make(map[int64]bool, len(x.places))
	for _, to := range x.places {
		keys[to.key] = true
	}
	own := func(key any) bool { k, is := key.(int64); return is && x.gone[k] }
	err := x.four("SELECT src, ord, rel, dst FROM edges", func(src, ord, rel, dst any) {
		to, is := dst.(int64)
		if own(src) && isRel(rel) && is && keys[to] {
			p.edges.Add(src, ord, rel, dst)
			x.done.Edges++
		}
	})
	if err == nil {
		err = x.four("SELECT src, ord, rel, dst FROM dangling", func(src, ord, rel, dst any) {
			b, is := dst.([]byte)
			if !own(src) || !isRel(rel) || !is || len(b) != len(memory.ID{}) {
				return
			}
			x.done.Edges++
			if to, held := x.places[memory.ID(b)]; held {
				p.edges.Add(src, ord, rel, to.key)
			} else {
				p.dangling.Add(src, ord, rel, slices.Clone(b))
			}
		})
	}
	if err == nil {
		err = x.four("SELECT space, alias, key, 0 FROM aliases", func(space, alias, key, _ any) {
			if b, is := alias.([]byte); own(key) && is {
				p.aliases.Add(space, slices.Clone(b), key)
			}
		})
	}
	return err
}

// isRel reports whether a column holds the number of a relation.
func isRel(v any) bool {
	n, is := v.(int64)
	return is && n > 0 && n <= int64(graph.Recalled)
}

// words makes the index of words again.
func (x *repairing) words() error {
	for _, query := range []string{"DELETE FROM segment_parts", "DELETE FROM segments", "UPDATE spaces SET indexed = 0"} {
		if err := x.w.Exec(x.ctx, query); err != nil {
			return err
		}
	}
	n := 0
	for {
		waits, err := waitingIn(x.ctx, x.w, nil)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(waits, func(w waiting) bool { return w.last-w.indexed > backlog })
		if i < 0 {
			return nil
		}
		if err := catchUpOne(x.ctx, x.w, waits[i].space); err != nil {
			return err
		}
		n = min(n+segmentMost, x.total)
		x.progress("words indexed", n, x.total)
	}
}

// Stored usage counts and embedders with impossible values.
const (
	strayUsage = "DELETE FROM usage WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.key = usage.key)"
	oddUsage   = `DELETE FROM usage
		WHERE typeof(times) <> 'integer' OR typeof(last) <> 'integer' OR typeof(sum) NOT IN ('integer', 'null') OR times < 0`
	stray      = "DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.key = vectors.key)"
	unnamed    = "DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM models m WHERE m.no = vectors.model)"
	oddVectors = `DELETE FROM vectors
		WHERE typeof(vec) <> 'blob' OR typeof(ord) <> 'integer' OR typeof(key) <> 'integer' OR typeof(sum) NOT IN ` +
		`('integer', 'null')`
)

// local drops damaged rows that cannot be derived again.
func (x *repairing) local() error {
	for _, table := range []struct {
		name    string
		queries []string
		then    func() error
		says    string
	}{
		{
			"usage", []string{strayUsage, oddUsage, "DELETE FROM usage WHERE " + sums.WrongUsage}, nil,
			"%d counts of readings were damaged and are gone: those records count as never read",
		},
		{
			"vectors", []string{stray, unnamed, oddVectors}, x.wrongVectors,
			"%d vectors were damaged and are gone: `embed` makes them again",
		},
	} {
		var before, after int
		if _, err := x.w.One(x.ctx, []any{&before}, "SELECT count(*) FROM "+table.name); err != nil {
			return err
		}
		for _, query := range table.queries {
			if x.w.Dialect == session.Postgres && (query == oddUsage || query == oddVectors) {
				continue // a server holds its columns to their types
			}
			if err := x.w.Exec(x.ctx, query); err != nil {
				return err
			}
		}
		if table.then != nil {
			if err := table.then(); err != nil {
				return err
			}
		}
		if _, err := x.w.One(x.ctx, []any{&after}, "SELECT count(*) FROM "+table.name); err != nil {
			return err
		}
		if after == before {
			continue
		}
		x.left(table.says, before-after)
		if table.name != "vectors" {
			continue
		}
		// a key may be what was wrong, so no one knows which records have none now
		if err := x.w.Exec(x.ctx, "DELETE FROM cursors WHERE name LIKE ?", store.EmbedCursor+"%"); err != nil {
			return err
		}
	}
	return nil
}
