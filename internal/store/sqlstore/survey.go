package sqlstore

import (
	"context"
	"database/sql"
	"iter"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

var _ store.Surveyor = (*Store)(nil)

// surveyPage is how many rows a survey reads at a time.
const surveyPage = 4096

const surveyed = `SELECT r.key, r.id, r.kind, p.bytes, s.flags, s.due, s.fold, r.came, u.times, u.last FROM records r
	LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key LEFT JOIN usage u ON u.key = r.key
	WHERE r.key > ? AND r.kind <= ? ORDER BY r.key LIMIT ?`

// Survey gives every memory, hidden ones too, in the order of the logs, each with
// how often it was read. The next page is read while the caller looks at one.
func (s *Store) Survey(ctx context.Context) iter.Seq2[store.Surveyed, error] {
	return func(yield func(store.Surveyed, error) bool) {
		asked := ctx
		ctx, stop := context.WithCancel(ctx)
		next := make(chan page, 1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer close(next)
			s.readPages(ctx, next)
		}()
		defer func() {
			stop()
			<-done
		}()
		for p := range next {
			if p.err != nil {
				yield(store.Surveyed{}, s.failed("survey", p.err))
				return
			}
			for i := range p.rows {
				r := &p.rows[i]
				it, err := s.item(ctx, &r.row)
				if err != nil {
					yield(store.Surveyed{}, s.failed("survey", err))
					return
				}
				u := store.Usage{Times: int(r.times.Int64)}
				if r.last.Valid {
					u.Last = memory.Milli(r.last.Int64).Time
				}
				if !yield(store.Surveyed{Item: it, Usage: u}, nil) {
					return
				}
			}
		}
		if err := asked.Err(); err != nil { // a part is not all
			yield(store.Surveyed{}, err)
		}
	}
}

// A page is a part of what a survey reads.
type page struct {
	rows []surveyRow
	err  error
}

type surveyRow struct {
	row
	times, last sql.NullInt64
}

// readPages reads one page after the other until there are no more, or nobody
// wants them.
func (s *Store) readPages(ctx context.Context, to chan<- page) {
	for after := int64(0); ; {
		rows := make([]surveyRow, 0, surveyPage)
		err := s.read.each(ctx, func(from *sql.Rows) error {
			rows = append(rows, surveyRow{})
			r := &rows[len(rows)-1]
			return from.Scan(&r.key, &r.id, &r.kind, &r.bytes, &r.flags, &r.due, &r.fold, &r.came, &r.times, &r.last)
		}, surveyed, after, lastMemory, surveyPage)
		select {
		case to <- page{rows, err}:
		case <-ctx.Done():
			return
		}
		if err != nil || len(rows) < surveyPage {
			return
		}
		after = rows[len(rows)-1].key
	}
}
