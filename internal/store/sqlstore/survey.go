package sqlstore

import (
	"context"
	"database/sql"
	"iter"
	"math"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

var _ store.Surveyor = (*Store)(nil)

// surveyPage is how many records a survey passes at a time.
const surveyPage = 4096

// surveyEnd finds where a page ends, and surveyed reads it. The bounds are said of
// each table: PostgreSQL would read the others from their beginning for each page, or
// sort all that follows, where it does not know yet how much there is.
const (
	surveyEnd = "SELECT key FROM records WHERE key > ? ORDER BY key LIMIT 1 OFFSET ?"
	surveyed  = `SELECT r.key, r.id, r.kind, p.bytes, s.flags, s.due, s.fold, r.came, r.sum, u.times, u.last, u.sum ` +
		`FROM records r
		LEFT JOIN payloads p ON p.key = r.key AND p.key > ? AND p.key <= ?
		LEFT JOIN state s ON s.key = r.key AND s.key > ? AND s.key <= ?
		LEFT JOIN usage u ON u.key = r.key AND u.key > ? AND u.key <= ?
		WHERE r.key > ? AND r.key <= ? AND r.kind <= ?
		AND (r.kind <> ` + lists.RawKind + ` OR r.at <= ? AND coalesce(r.came, 0) <= ?) ORDER BY r.key`
)

// readSurvey is Survey on the database itself, without the fallback.
func (s *Store) readSurvey(ctx context.Context, before time.Time) iter.Seq2[store.Surveyed, error] {
	return func(yield func(store.Surveyed, error) bool) {
		asked := ctx
		ctx, stop := context.WithCancel(ctx)
		next := make(chan page, 1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer close(next)
			s.readPages(ctx, before, next)
		}()
		defer func() {
			stop()
			<-done
		}()
		for p := range next {
			if p.err != nil {
				yield(store.Surveyed{}, s.Failed("survey", p.err))
				return
			}
			for i := range p.rows {
				r := &p.rows[i]
				it, err := s.item(ctx, &r.row)
				if err != nil {
					yield(store.Surveyed{}, s.Failed("survey", err))
					return
				}
				var u store.Usage
				if r.times.Valid && sums.UsageIs(r.key, r.times.Int64, r.last.Int64, r.used) {
					u = store.Usage{Times: int(r.times.Int64), Last: memory.At(time.UnixMilli(r.last.Int64)).Time()}
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
	times, last, used sql.NullInt64
}

// anyOld finds whether there is a record of before a time.
const anyOld = "SELECT 1 FROM records WHERE at <= ? AND coalesce(came, 0) <= ? LIMIT 1"

// readPages reads one page after the other until there are no more, or no one
// wants them.
func (s *Store) readPages(ctx context.Context, before time.Time, to chan<- page) {
	latest := int64(math.MaxInt64)
	if !before.IsZero() {
		latest = before.UnixMilli()
		var one int
		any, err := s.read.One(ctx, []any{&one}, anyOld, latest, latest)
		if err != nil {
			to <- page{err: err}
		}
		if err != nil || !any {
			return
		}
	}
	for after := int64(0); ; {
		p, last, full := s.nextPage(ctx, after, latest)
		select {
		case to <- p:
		case <-ctx.Done():
			return
		}
		if p.err != nil || !full {
			return
		}
		after = last
	}
}

// nextPage reads the memories among the next records after a key. last is the key
// of the last of these; full reports whether there may be more.
func (s *Store) nextPage(ctx context.Context, after, latest int64) (p page, last int64, full bool) {
	if full, p.err = s.read.One(ctx, []any{&last}, surveyEnd, after, surveyPage-1); p.err != nil {
		return p, 0, false
	}
	if !full {
		last = math.MaxInt64
	}
	p.rows = make([]surveyRow, 0, surveyPage)
	p.err = s.read.Each(ctx, func(from *sql.Rows) error {
		p.rows = append(p.rows, surveyRow{})
		r := &p.rows[len(p.rows)-1]
		return from.Scan(
			&r.key, session.AsID(&r.id), &r.kind, &r.bytes, &r.flags, &r.due, &r.fold, &r.came, &r.sum, &r.times,
			&r.last, &r.used,
		)
	}, surveyed, after, last, after, last, after, last, after, last, lists.LastMemory, latest, latest)
	return p, last, full
}
