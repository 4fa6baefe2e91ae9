package sqlstore

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// lockWait is how long a change of tables that are in use is tried, in all.
const lockWait = time.Minute

// Online runs do as Change does, and again where tables are in use, for a minute at most.
func (s *Store) Online(ctx context.Context, doing string, do func(context.Context, *session.Session) error) error {
	for until, try := time.Now().Add(lockWait), 1; ; try++ {
		err := s.Change(ctx, doing, do)
		if session.PostgresCode(err) != session.LockTimeout || time.Now().After(until) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}
