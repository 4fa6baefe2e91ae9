package sqlstore

import (
	"context"
	"fmt"
	"strings"
)

// A pile is rows for one table, written a few statements at a time.
type pile struct {
	into  string // "INSERT INTO t (…) VALUES "
	row   string // "(?,?)"
	types string // of the columns, "bigint bytea", where many rows may be sent as columns
	tail  string // what to do about rows that are there already
	args  []any
}

func (p *pile) add(args ...any) { p.args = append(p.args, args...) }

// flush writes the rows, as many a statement as the dialect takes.
func (p *pile) flush(ctx context.Context, w *session) error {
	width := strings.Count(p.row, "?")
	args := p.args
	if len(args) > 0 {
		w.fills(strings.Fields(p.into)[2])
	}
	for w.d.Columns > 0 && p.types != "" && len(args) >= fewRows*width {
		n := min(w.d.Columns, len(args)/width)
		if err := p.flushColumns(ctx, w, args[:n*width]); err != nil {
			return err
		}
		args = args[n*width:]
	}
	for _, n := range w.d.Rows {
		for len(args) >= n*width {
			query := p.into + p.row + strings.Repeat(","+p.row, n-1) + p.tail
			if err := w.exec(ctx, query, args[:n*width]...); err != nil {
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
func (p *pile) flushColumns(ctx context.Context, w *session, args []any) error {
	types := strings.Fields(p.types)
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
			return fmt.Errorf("%s%w", p.into, err)
		}
	}
	query := strings.TrimSuffix(p.into, "VALUES ") + "SELECT * FROM unnest(" + strings.Join(places, ",") + ")" + p.tail
	if w.spread {
		query += asResult
	}
	return w.exec(ctx, query, columns...)
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
