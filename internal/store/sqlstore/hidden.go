package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

var (
	_ store.Hider    = (*Store)(nil)
	_ store.Rejecter = (*Store)(nil)
	_ store.Awaiter  = (*Store)(nil)
)

// hiddenNow begins with the states, which few records have (hence the word CROSS).
const hiddenNow = `SELECT r.id, r.at, s.flags, s.due FROM state s CROSS JOIN records r
	WHERE r.key = s.key AND (s.flags & 63 <> 0 OR s.due <= ?) AND r.kind <= ? ORDER BY s.key`

// readHidden is Hidden on the database itself, without the fallback.
func (s *Store) readHidden(ctx context.Context) ([]store.Hidden, error) {
	now := s.now().UnixMilli()
	var out []store.Hidden
	err := s.read.Long(ctx, func(rows *sql.Rows) error {
		var h store.Hidden
		var at, flags int64
		var due sql.NullInt64
		err := rows.Scan(session.AsID(&h.ID), &at, &flags, &due)
		h.At, h.Due = time.UnixMilli(at), due.Valid && due.Int64 <= now
		h.Outranked, h.Forgotten = flags&flagOutranked != 0, flags&flagForgotten != 0
		out = append(out, h)
		return err
	}, hiddenNow, now, lists.LastMemory)
	return out, s.Failed("list the hidden memories of", err)
}

// readAnyRejected is AnyRejected on the database itself, without the fallback. Of a memory of which a
// claim has come due, the tables do not say yet what it is.
func (s *Store) readAnyRejected(ctx context.Context) (bool, error) {
	var one int
	any, err := s.read.One(ctx, []any{&one}, "SELECT 1 FROM state WHERE flags & ? <> 0 OR due <= ? LIMIT 1",
		flagRejected|flagQuarantined, s.now().UnixMilli())
	return any, s.Failed("look for rejected memories in", err)
}

// Awaited returns the records about which a claim is dated ahead, or was until now.
func (s *Store) Awaited(ctx context.Context, most int) ([]store.Awaited, error) {
	var out []store.Awaited
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var one store.Awaited
		var due int64
		err := rows.Scan(session.AsID(&one.ID), &due)
		one.Due = memory.At(time.UnixMilli(due))
		out = append(out, one)
		return err
	}, `SELECT r.id, s.due FROM state s JOIN records r ON r.key = s.key
		WHERE s.due IS NOT NULL AND s.flags & ? = 0 ORDER BY s.due LIMIT ?`, flagPurged, most)
	return out, s.Failed("list what comes due in", err)
}
