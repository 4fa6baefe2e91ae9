package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Tables that a fallback is made of: what nothing can be made of, which must be whole,
// and what may be missing.
var (
	neededTables = []string{"records", "payloads", "signatures"}
	usefulTables = []string{
		"meta", "spaces", "authors", "kinds", "models", "checkpoints", "edges", "dangling", "aliases", "state",
		"usage", "vectors", "cursors",
	}
)

// copyTable copies the rows of a table that can be read; of a table that is needed,
// all must be.
func copyTable(ctx context.Context, from, w *session.Session, name string) error {
	columns, order, err := columnsOf(ctx, w, name)
	if err != nil {
		return err
	}
	if from.Dialect == session.SQLite { // a backup of an older version lacks what came later
		have, _, err := columnsOf(ctx, from, name)
		if lacks := func(c string) bool { return !slices.Contains(have, c) }; err == nil && len(have) > 0 {
			columns = slices.DeleteFunc(columns, lacks)
		}
	}
	rows, whole := readable(ctx, from, name, columns, order)
	if !whole && slices.Contains(neededTables, name) {
		return fmt.Errorf("%w: the table %s", store.ErrDamaged, name)
	}
	if err := w.Exec(ctx, "DELETE FROM "+name); err != nil {
		return err
	}
	return putBack(ctx, w, name, columns, rows)
}

// putBack inserts rows, but for those that cannot be in the table.
func putBack(ctx context.Context, w *session.Session, name string, columns []string, rows [][]any) error {
	for _, row := range rows {
		query := "INSERT OR IGNORE INTO " + name + " (" + strings.Join(columns, ", ") + ") VALUES (?" +
			strings.Repeat(", ?", len(row)-1) + ")"
		if err := w.Exec(ctx, query, row...); err != nil && session.SQLiteCode(err) == 0 {
			return err
		}
	}
	return nil
}

// columnsOf returns the columns of a table of a SQLite file, and by which its rows are in
// order.
func columnsOf(ctx context.Context, on *session.Session, table string) (columns []string, order string, err error) {
	order = "rowid"
	keys := 0
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var name string
		var part int
		err := rows.Scan(&name, &part)
		columns = append(columns, name)
		if keys = max(keys, part); part == 1 {
			order = name
		}
		return err
	}, "SELECT name, pk FROM pragma_table_info('"+table+"') ORDER BY cid")
	if keys > 1 && (table == "vectors" || table == "checkpoints" || table == "segment_parts") {
		order = "rowid" // they have one besides their key, whose index may be damaged
	}
	return columns, order, err
}

// readable returns the readable rows of a table: from its beginning and, if that fails, from
// its end, up to the damage. whole reports whether all could be read.
func readable(
	ctx context.Context, on *session.Session, table string, columns []string, order string,
) (all [][]any, whole bool) {
	if on.Dialect == session.Postgres && order == "rowid" {
		order = "1"
	}
	for _, way := range []string{" ASC", " DESC"} {
		err := on.Long(ctx, func(rows *sql.Rows) error {
			row, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			all = append(all, row)
			return nil
		}, "SELECT "+strings.Join(columns, ", ")+" FROM "+table+" ORDER BY "+order+way)
		if err == nil && way == " ASC" {
			return all, true
		}
	}
	return all, false
}
