package sqlstore

import (
	"context"
	"strings"
)

// A pile is rows for one table, written a few statements at a time.
type pile struct {
	into string // "INSERT INTO t (…) VALUES "
	row  string // "(?,?)"
	tail string // what to do about rows that are there already
	args []any
}

func (p *pile) add(args ...any) { p.args = append(p.args, args...) }

// flush writes the rows, as many a statement as the dialect takes.
func (p *pile) flush(ctx context.Context, w *session) error {
	width := strings.Count(p.row, "?")
	args := p.args
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
