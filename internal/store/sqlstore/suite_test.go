package sqlstore

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
)

// open opens a store that ends with the test.
func open(tb testing.TB, spec string, o Options) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), spec, o)
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

func TestSQLite(t *testing.T) {
	storetest.Run(t, emptySQLite)
}

func emptySQLite(t *testing.T, now func() time.Time) store.Store {
	return open(t, tempSQLite(t), Options{Now: now})
}

func TestPostgres(t *testing.T) {
	storetest.EmptyPostgres(t)
	storetest.Run(t, emptyPostgres)
}

func emptyPostgres(t *testing.T, now func() time.Time) store.Store {
	return open(t, storetest.EmptyPostgres(t), Options{Now: now})
}
