package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

var (
	_ store.Hider    = (*Store)(nil)
	_ store.Rejecter = (*Store)(nil)
)

// hiddenNow begins with the states, which few records have (hence the word CROSS).
const hiddenNow = `SELECT r.id, r.at, s.flags, s.due FROM state s CROSS JOIN records r
	WHERE r.key = s.key AND (s.flags & 63 <> 0 OR s.due <= ?) AND r.kind <= ? ORDER BY s.key`

// readHidden is Hidden on the database itself, without the fallback.
func (s *Store) readHidden(ctx context.Context) ([]store.Hidden, error) {
	now := s.now().UnixMilli()
	var out []store.Hidden
	err := s.read.long(ctx, func(rows *sql.Rows) error {
		var h store.Hidden
		var at, flags int64
		var due sql.NullInt64
		err := rows.Scan(asID(&h.ID), &at, &flags, &due)
		h.At, h.Due = time.UnixMilli(at), due.Valid && due.Int64 <= now
		h.Outranked, h.Forgotten = flags&flagOutranked != 0, flags&flagForgotten != 0
		out = append(out, h)
		return err
	}, hiddenNow, now, lastMemory)
	return out, s.failed("list the hidden memories of", err)
}

// readAnyRejected is AnyRejected on the database itself, without the fallback. Of a memory of which a
// claim has come due, the tables do not say yet what it is.
func (s *Store) readAnyRejected(ctx context.Context) (bool, error) {
	var one int
	any, err := s.read.one(ctx, []any{&one}, "SELECT 1 FROM state WHERE flags & ? <> 0 OR due <= ? LIMIT 1",
		flagRejected|flagQuarantined, s.now().UnixMilli())
	return any, s.failed("look for rejected memories in", err)
}
