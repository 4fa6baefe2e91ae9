package hubstore

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// open opens a store that ends with the test.
func open(tb testing.TB, spec string, o sqlstore.Options) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.Open(tb.Context(), spec, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func tempSQLite(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "memory.db")
}

// exec runs a statement as the owner of the tables.
func exec(tb testing.TB, s *sqlstore.Store, query string) {
	tb.Helper()
	err := s.Change(tb.Context(), "change", func(ctx context.Context, w *session.Session) error {
		return session.Run(ctx, w, query)
	})
	if err != nil {
		tb.Fatal(err)
	}
}
