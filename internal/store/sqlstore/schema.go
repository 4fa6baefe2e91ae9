package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// An object is a table, an index, a trigger or a view of a database.
type object struct{ kind, name, table, text string }

// A wrongObject is one that is not as our migrations make it.
type wrongObject struct {
	object
	missing bool // it is not there
	odd     bool // it is there, and no version of stemma made it, or not so
}

// ownSchema is what the migrations make on SQLite, in the order in which they do.
var ownSchema = sync.OnceValues(func() (own []object, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := fs.ReadDir(migrations, session.SQLite.Migration)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := fs.ReadFile(migrations, session.SQLite.Migration+"/"+f.Name())
		if err != nil {
			return nil, err
		}
		if _, err := db.Exec(string(text)); err != nil {
			return nil, err
		}
	}
	return objects(context.Background(), session.New(session.SQLite, db, false))
})

// objects reads the schema of a SQLite database, without what SQLite makes by itself.
func objects(ctx context.Context, on *session.Session) (all []object, err error) {
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var o object
		err := rows.Scan(&o.kind, &o.name, &o.table, &o.text)
		all = append(all, o)
		return err
	}, `SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema
		WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY rowid`)
	return all, err
}

// wrongObjects compares the schema with the one that our migrations make.
func wrongObjects(ctx context.Context, on *session.Session) ([]wrongObject, error) {
	if on.Dialect == session.Postgres {
		return wrongTriggers(ctx, on)
	}
	own, err := ownSchema()
	if err != nil {
		return nil, err
	}
	have, err := objects(ctx, on)
	if err != nil {
		return nil, err
	}
	var out []wrongObject
	for _, o := range own {
		i := slices.IndexFunc(have, func(h object) bool { return h.kind == o.kind && h.name == o.name })
		if i < 0 || spaced(have[i].text) != spaced(o.text) || have[i].table != o.table {
			out = append(out, wrongObject{object: o, missing: true, odd: i >= 0})
		}
	}
	for _, h := range have {
		known := slices.ContainsFunc(own, func(o object) bool { return h.kind == o.kind && h.name == o.name })
		if !known && (h.kind == "trigger" || h.kind == "view") { // tables of others do nothing by themselves
			out = append(out, wrongObject{object: h, odd: true})
		}
	}
	return out, nil
}

// says returns what is wrong with an object.
func (o *wrongObject) says() string {
	switch {
	case o.missing && o.odd:
		return "is not as stemma makes it"
	case o.missing:
		return "is missing"
	}
	return "was made by no version of stemma, and runs with what stemma does"
}

// pgTrigger finds the triggers in a migration for PostgreSQL.
var pgTrigger = lazy.Regexp(`(?m)^CREATE TRIGGER (\w+) .*? ON (\w+) .*;$`)

// wrongTriggers checks that the triggers that guard signed records exist and are in force. The
// rest of a server's database is its administrator's responsibility.
func wrongTriggers(ctx context.Context, on *session.Session) ([]wrongObject, error) {
	var own []object
	err := fs.WalkDir(migrations, session.Postgres.Migration, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		for _, m := range pgTrigger.Get().FindAllStringSubmatch(string(text), -1) {
			own = append(own, object{"trigger", m[1], m[2], strings.TrimSuffix(m[0], ";")})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	inForce := make(map[[2]string]bool)
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var table, name string
		var enabled bool
		err := rows.Scan(&table, &name, &enabled)
		inForce[[2]string{table, name}] = enabled
		return err
	}, `SELECT c.relname::text, t.tgname::text, t.tgenabled IN ('O', 'A') FROM pg_trigger t
		JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = `+
		`current_schema() AND NOT t.tgisinternal`)
	var out []wrongObject
	for _, o := range own {
		if enabled, there := inForce[[2]string{o.table, o.name}]; !enabled {
			out = append(out, wrongObject{object: o, missing: true, odd: there})
		}
	}
	return out, err
}

// schemaOff takes away what runs by itself and no version of stemma made, makes tables
// that are missing, and takes damaged ones out of the file.
func (x *repairing) schemaOff() error {
	if x.w.Dialect == session.Postgres {
		return nil
	}
	if x.broken { // an unreadable entry of the schema must not hide the others
		if err := session.Run(x.ctx, x.w, "PRAGMA writable_schema = ON"); err != nil {
			return err
		}
	}
	wrong, err := wrongObjects(x.ctx, x.w)
	if err == nil {
		err = x.retold(wrong)
	}
	if err == nil && x.broken {
		err = x.takeOut()
	}
	if err != nil {
		return err
	}
	for _, o := range wrong {
		switch {
		case o.kind == "table" && !o.odd && slices.Contains(neededTables, o.name):
			return fmt.Errorf("%w: the table %s is missing", errUnmendable, o.name)
		case o.kind == "table" && !o.odd:
			x.left("the table %s was missing, and is empty now", o.name)
			err = session.Run(x.ctx, x.w, o.text)
		case o.odd && !o.missing:
			err = session.Run(x.ctx, x.w, "DROP "+strings.ToUpper(o.kind)+" "+session.Quoted(o.name))
			x.left("the %s %s was made by no version of stemma, and is gone", o.kind, o.name)
		}
		if err != nil {
			return err
		}
	}
	err = session.Run(x.ctx, x.w, "REINDEX")
	if session.SQLiteCode(err) != 0 {
		return nil // two rows have the same id: the check of records reports it
	}
	return err
}

// retold restores the schema's tables, indexes, triggers and views. The tables were written by
// exactly that schema, since a version has one.
func (x *repairing) retold(wrong []wrongObject) error {
	if err := session.Run(x.ctx, x.w, "PRAGMA writable_schema = ON"); err != nil {
		return err
	}
	const query = "UPDATE sqlite_schema SET sql = ?, tbl_name = ? WHERE type = ? AND name = ?"
	for _, o := range wrong {
		if !o.missing || !o.odd {
			continue
		}
		if err := x.w.Exec(x.ctx, query, o.text, o.table, o.kind, o.name); err != nil {
			return err
		}
	}
	return session.Run(x.ctx, x.w, "PRAGMA writable_schema = RESET")
}

// schemaOn makes the triggers, indexes and views that are missing.
func (x *repairing) schemaOn() error {
	wrong, err := wrongObjects(x.ctx, x.w)
	if err != nil {
		return err
	}
	for _, o := range wrong {
		switch {
		case !o.missing || o.kind == "table":
			continue
		case x.w.Dialect == session.Postgres && o.odd:
			err = session.Run(x.ctx, x.w, "ALTER TABLE "+o.table+" ENABLE TRIGGER "+o.name)
		default:
			err = session.Run(x.ctx, x.w, o.text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeOut takes tables with damaged pages out of the schema and makes them again, with
// the rows that can still be read. To empty or to drop such a table SQLite would have to
// go through its pages.
func (x *repairing) takeOut() error {
	own, err := ownSchema()
	if err != nil {
		return err
	}
	for _, name := range append(slices.Clone(derivedTables), "usage", "vectors", "cursors", "counts") {
		if !x.damaged(name) {
			continue
		}
		columns, order, err := columnsOf(x.ctx, x.w, name)
		if err != nil {
			return err
		}
		rows, _ := readable(x.ctx, x.w, name, columns, order)
		if err := x.again(name, own); err != nil {
			return err
		}
		if strings.HasPrefix(name, "segment") {
			continue // it is made of records, all of it
		}
		if err := putBack(x.ctx, x.w, name, columns, rows); err != nil {
			return err
		}
		if !slices.Contains(derivedTables, name) {
			x.left("the table %s was damaged: %d rows of it could be read", name, len(rows))
		}
	}
	return nil
}

// damaged asks SQLite whether a table and its indexes hold together.
func (x *repairing) damaged(table string) bool {
	whole := false
	err := x.w.Long(x.ctx, func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		whole = line == "ok"
		return err
	}, "PRAGMA integrity_check("+session.Quoted(table)+")")
	return err != nil || !whole
}

// again makes a table again without looking at the pages of the old one, which hang on
// nothing then: rewrite takes them away.
func (x *repairing) again(table string, own []object) error {
	for _, query := range []string{
		"PRAGMA writable_schema = ON",
		"DELETE FROM sqlite_schema WHERE tbl_name = '" + table + "' AND type <> 'trigger'",
		"PRAGMA writable_schema = RESET",
	} {
		if err := session.Run(x.ctx, x.w, query); err != nil {
			return err
		}
	}
	for _, o := range own {
		if o.table != table || o.kind == "trigger" || o.kind == "view" {
			continue
		}
		if err := session.Run(x.ctx, x.w, o.text); err != nil {
			return err
		}
	}
	return nil
}
