package sqlstore

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

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

// tempPostgres returns the address of an empty schema that is dropped when the
// test ends.
func tempPostgres(tb testing.TB) string {
	tb.Helper()
	address := os.Getenv("STEMMA_TEST_POSTGRES")
	if address == "" {
		tb.Skip("STEMMA_TEST_POSTGRES names no server")
	}
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), time.Now().UnixNano())
	conn, err := pgx.Connect(tb.Context(), address)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := conn.Exec(tb.Context(), "CREATE SCHEMA "+schema); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx := context.WithoutCancel(tb.Context()) // it is over, but for this
		if _, err := conn.Exec(ctx, "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			tb.Error(err)
		}
		if err := conn.Close(ctx); err != nil {
			tb.Error(err)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, emptySQLite)
}

func emptySQLite(t *testing.T, now func() time.Time) store.Store {
	return open(t, tempSQLite(t), Options{Now: now})
}

func TestPostgres(t *testing.T) {
	tempPostgres(t)
	storetest.Run(t, emptyPostgres)
}

func emptyPostgres(t *testing.T, now func() time.Time) store.Store {
	return open(t, tempPostgres(t), Options{Now: now})
}
