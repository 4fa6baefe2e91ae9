package sqlstore

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

var _ store.Trier = (*Store)(nil)

// errTried ends the transaction of a trial.
var errTried = errors.New("it was a trial")

// Try runs do on the store as it would be with a batch more. On SQLite that is a transaction which is rolled back, and
// others who write wait for it. A connection to PostgreSQL answers one question at a time, and a file that cannot be
// written has no transaction: there the records are copied into memory first.
func (s *Store) Try(ctx context.Context, b store.Batch, do func(context.Context, store.Store) error) error {
	if s.d != session.SQLite || s.readOnly {
		c, err := memstore.CopyOf(ctx, s, s.now)
		if err != nil {
			return err
		}
		return c.Try(ctx, b, do)
	}
	var said error
	err := s.Change(ctx, "try on", func(ctx context.Context, w *session.Session) error {
		t := &Store{
			d: s.d, name: s.name, now: s.now, names: lists.New(), rand: s.rand, read: w, within: w,
			writing: make(chan struct{}, 1),
		}
		t.writing <- struct{}{}
		if _, err := t.Append(ctx, b); err != nil {
			return err
		}
		said = errors.Join(do(ctx, t), t.copies.Close())
		return errTried
	})
	if errors.Is(err, errTried) {
		return said
	}
	return err
}
