package sqlstore

import (
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// schema compares tables, indexes, triggers and views with those that our migrations
// make.
func (c *checking) schema() error {
	wrong, err := wrongObjects(c.ctx, c.s.read)
	for _, o := range wrong {
		if err == nil {
			err = c.stale("the %s %s %s", o.kind, o.name, o.says())
		}
	}
	return err
}

// columns looks in every table for values of another type than their column's, which
// SQLite keeps as well. A server holds its columns to their types itself.
func (c *checking) columns() error {
	if c.s.d != session.SQLite {
		return nil
	}
	own, err := ownSchema()
	for _, o := range own {
		if err == nil && o.kind == "table" {
			err = c.table(o.name)
		}
	}
	return err
}

// types are what SQLite calls the values of a column that was declared so.
var types = map[string]string{"INTEGER": "integer", "TEXT": "text", "BLOB": "blob"}

func (c *checking) table(name string) error {
	var wrong []string
	err := c.s.read.Each(c.ctx, func(rows *sql.Rows) error {
		var column, declared string
		var filled, primary int
		err := rows.Scan(&column, &declared, &filled, &primary)
		is := types[declared]
		if err == nil && is != "" {
			list := "'" + is + "'"
			if filled == 0 && primary == 0 {
				list += ", 'null'"
			}
			wrong = append(wrong, "typeof("+column+") NOT IN ("+list+")")
		}
		return err
	}, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('"+name+"')")
	if err != nil || len(wrong) == 0 {
		return err
	}
	var n int
	_, err = c.s.read.One(c.ctx, []any{&n}, "SELECT count(*) FROM "+name+" WHERE "+strings.Join(wrong, " OR "))
	if err != nil {
		return c.stale("the table %s cannot be read: %v", name, err)
	}
	if n == 0 {
		return nil
	}
	own := []string{"payloads", "signatures", "checkpoints", "meta", "jobs"} // nothing else has this data
	if slices.Contains(own, name) || strings.HasPrefix(name, "hub_") {
		return c.found("%d rows of the table %s have values of a wrong type", n, name)
	}
	return c.stale("%d rows of the table %s have values of a wrong type", n, name)
}

// logs looks for gaps: as many records as the counter says, the last at its place, and
// a tree over them that is of their ids.
func (c *checking) logs() error {
	const query = `SELECT p.name, p.no, p.last, p.indexed, p.tree, p.came, count(r.key), coalesce(max(r.key), 0), ` +
		`coalesce(max(r.came), 0)
		FROM spaces p LEFT JOIN records r ON r.key / 1099511627776 = p.no
		GROUP BY p.name, p.no, p.last, p.indexed, p.tree, p.came`
	type space struct {
		name                     string
		no                       int
		last, indexed, held, max int64
		came, latest             int64
		tree                     []byte
	}
	var all []space
	err := c.s.read.Long(c.ctx, func(rows *sql.Rows) error {
		var p space
		err := rows.Scan(&p.name, &p.no, &p.last, &p.indexed, &p.tree, &p.came, &p.held, &p.max, &p.latest)
		all = append(all, p)
		return err
	}, query)
	for _, p := range all {
		if err != nil {
			break
		}
		if p.held != p.last || p.last > 0 && p.max != session.FirstKey(p.no)+p.last {
			err = c.stale("space %s: the log should have %d records and has %d", p.name, p.last, p.held)
			continue
		}
		if p.indexed < 0 || p.indexed > p.last {
			err = c.stale("space %s: %d records are said to be in the index, of %d", p.name, p.indexed, p.last)
		}
		if err == nil && p.came != p.latest {
			err = c.stale("space %s: when its last record came is not noted as it was", p.name)
		}
		if err != nil || p.tree == nil {
			continue
		}
		f, failed := frontier(c.ctx, c.s.read, p.no, p.last, p.tree)
		made, unmade := frontier(c.ctx, c.s.read, p.no, p.last, nil)
		switch {
		case unmade != nil:
			err = unmade
		case failed != nil:
			err = c.stale("space %s: %v", p.name, failed)
		case f.Root() != made.Root():
			err = c.stale("space %s: the tree of the log is not that of its ids", p.name)
		}
	}
	return err
}

// lists compares the lists of names with the records that use them.
func (c *checking) lists() error {
	listed := make(map[int64]string)
	err := c.s.read.Each(c.ctx, func(rows *sql.Rows) error {
		var no int64
		var text any
		err := rows.Scan(&no, &text)
		listed[no], _ = text.(string)
		return err
	}, lists.Kinds.All)
	for k, no := range lists.KindNumbers() {
		if err != nil || listed[int64(no)] == string(k) {
			continue
		}
		used := listed[int64(no)] != "" || slices.Contains(slices.Collect(maps.Values(listed)), string(k))
		if !used { // a store that was made before the kind lists it with its first record
			_, err = c.s.read.One(c.ctx, []any{&used}, "SELECT EXISTS (SELECT 1 FROM records WHERE kind = ?)", no)
		}
		if err == nil && used {
			err = c.stale("the list of kinds has %q where %s should be", listed[int64(no)], k)
		}
	}
	return err
}
