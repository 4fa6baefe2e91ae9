package session

import (
	"context"
	"fmt"
	"strings"
)

// A Pile is rows for one table, written a few statements at a time.
type Pile struct {
	Into  string // "INSERT INTO t (…) VALUES "
	Row   string // "(?,?)"
	Types string // of the columns, "bigint bytea", where many rows may be sent as columns
	Tail  string // what to do about rows that are there already
	args  []any
}

// Add adds a row, or several.
func (p *Pile) Add(args ...any) { p.args = append(p.args, args...) }

// Flush writes the rows, as many a statement as the dialect takes.
func (p *Pile) Flush(ctx context.Context, w *Session) error {
	width := strings.Count(p.Row, "?")
	args := p.args
	if len(args) > 0 {
		w.Fills(strings.Fields(p.Into)[2])
	}
	for w.Dialect.Columns > 0 && p.Types != "" && len(args) >= fewRows*width {
		n := min(w.Dialect.Columns, len(args)/width)
		if err := p.flushColumns(ctx, w, args[:n*width]); err != nil {
			return err
		}
		args = args[n*width:]
	}
	for _, n := range w.Dialect.Rows {
		for len(args) >= n*width {
			query := p.Into + p.Row + strings.Repeat(","+p.Row, n-1) + p.Tail
			if err := w.Exec(ctx, query, args[:n*width]...); err != nil {
				return err
			}
			args = args[n*width:]
		}
	}
	p.args = p.args[:0]
	return nil
}

// fewRows are as soon written as rows.
const fewRows = 8

// asResult makes Citus carry the rows of a SELECT to the node as a result, which an INSERT there reads. Without it the
// rows are copied into the table, and COPY is refused where a table has policies.
const asResult = " RETURNING 1"

// flushColumns writes rows as an array for each column: a statement with a placeholder
// for each value takes the server twice as long.
func (p *Pile) flushColumns(ctx context.Context, w *Session, args []any) error {
	types := strings.Fields(p.Types)
	columns, places := make([]any, len(types)), make([]string, len(types))
	for i, kind := range types {
		places[i] = "?::" + kind + "[]"
		var err error
		switch kind {
		case "bigint":
			columns[i], err = column[int64](args, i, len(types))
		case "bytea":
			columns[i], err = column[[]byte](args, i, len(types))
		case "text":
			columns[i], err = column[string](args, i, len(types))
		default:
			err = fmt.Errorf("no columns of %s are sent", kind)
		}
		if err != nil {
			return fmt.Errorf("%s%w", p.Into, err)
		}
	}
	query := strings.TrimSuffix(p.Into, "VALUES ") + "SELECT * FROM unnest(" + strings.Join(places, ",") + ")" + p.Tail
	if w.Spread {
		query += asResult
	}
	return w.Exec(ctx, query, columns...)
}

// column returns one of several columns of rows, as an array of T, or of pointers to T
// where some are null.
func column[T any](args []any, from, width int) (any, error) {
	values := make([]T, len(args)/width)
	some := make([]*T, len(values))
	null := false
	for i := range values {
		v := args[i*width+from]
		if n, is := v.(int); is {
			v = int64(n)
		}
		t, is := v.(T)
		if !is && v != nil {
			return nil, fmt.Errorf("a column of %T has a %T", t, v)
		}
		if values[i] = t; is {
			some[i] = &values[i]
		}
		null = null || !is
	}
	if null {
		return some, nil
	}
	return values, nil
}
