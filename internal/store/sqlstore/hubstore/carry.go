package hubstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// carried are the tables that have rows of a space, and how a row's space is found. What is of no space is carried
// whole: rows elsewhere use its numbers.
var carried = []struct{ table, space string }{
	{"authors", ""}, {"kinds", ""}, {"models", ""},
	{"spaces", "no"}, {"records", "(key >> 40)"}, {"payloads", "(key >> 40)"}, {"signatures", "(key >> 40)"},
	{"aliases", "space"}, {"state", "(key >> 40)"}, {"usage", "(key >> 40)"}, {"vectors", "(key >> 40)"},
	{"segments", "space"}, {"segment_parts", "space"}, {"dangling", "(src >> 40)"}, {"edges", "(src >> 40)"},
}

// carry copies spaces from one schema to another, an empty one. The numbers of spaces and records stay. An arrow to
// what stays behind waits for it, as one to what another store has.
func carry(
	ctx context.Context, w *session.Session, from, to string, nos []int, names []string,
) (records int64, err error) {
	in := " IN (" + session.Numbers(nos) + ")"
	for _, c := range carried {
		columns, err := columnsIn(ctx, w, from, c.table)
		if err != nil {
			return 0, err
		}
		text := "INSERT INTO " + session.Quoted(to) + "." + c.table + " (" + columns + ") SELECT " + columns +
			" FROM " + session.Quoted(from) + "." + c.table
		switch {
		case len(nos) == 0 && c.space != "":
			continue
		case c.space == "":
			text += " ON CONFLICT (no) DO NOTHING"
		case c.table == "edges":
			text += " WHERE (src >> 40)" + in + " AND (dst >> 40)" + in
		default:
			text += " WHERE " + c.space + in
		}
		if err := session.Run(ctx, w, text); err != nil {
			return 0, fmt.Errorf("table %s: %w", c.table, err)
		}
	}
	if len(nos) == 0 {
		return 0, nil
	}
	err = session.Run(ctx, w, "INSERT INTO "+session.Quoted(to)+".dangling (src, ord, rel, dst) "+
		"SELECT e.src, e.ord, e.rel, r.id FROM "+
		session.Quoted(from)+".edges e JOIN "+session.Quoted(from)+".records r ON r.key = e.dst WHERE (e.src >> 40)"+in+
		" AND (e.dst >> 40) NOT"+in)
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(names, session.MostListed) {
		query, args := session.SpreadFor("INSERT INTO "+session.Quoted(to)+".checkpoints (space, size, root, by, note, at) "+
			"SELECT DISTINCT space, size, root, by, note, at FROM "+session.Quoted(from)+".checkpoints WHERE space IN (…)", part,
			func(n string) any { return n })
		if err := w.Exec(ctx, query, args...); err != nil {
			return 0, err
		}
	}
	_, err = w.One(ctx, []any{&records}, "SELECT count(*) FROM "+session.Quoted(to)+".records")
	return records, err
}

// columnsIn are the columns of a table, in their order.
func columnsIn(ctx context.Context, w *session.Session, schema, table string) (string, error) {
	var out []string
	err := w.Each(ctx, func(r *sql.Rows) error {
		var c string
		err := r.Scan(&c)
		out = append(out, session.Quoted(c))
		return err
	}, "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? "+
		"ORDER BY ordinal_position", schema, table)
	return strings.Join(out, ", "), err
}
