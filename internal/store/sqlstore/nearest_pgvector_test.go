package sqlstore

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

// tempPgvector returns the address of an empty schema on a server with pgvector.
// The one of scripts/pgvector.sh has one session for all connections and looks
// at no search_path in an address, so that it is set beforehand.
func tempPgvector(tb testing.TB) string {
	tb.Helper()
	address := os.Getenv("STEMMA_TEST_PGVECTOR")
	if address == "" {
		tb.Skip("STEMMA_TEST_PGVECTOR names no server")
	}
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), time.Now().UnixNano())
	statements := func(ctx context.Context, all ...string) {
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			tb.Fatal(err)
		}
		for _, text := range all {
			if _, err := conn.Exec(ctx, text); err != nil {
				tb.Errorf("%s: %v", text, err)
			}
		}
		if err := conn.Close(ctx); err != nil {
			tb.Error(err)
		}
	}
	statements(
		tb.Context(), "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public", "CREATE SCHEMA "+schema,
		"SET search_path TO "+schema,
	)
	tb.Cleanup(func() {
		statements(context.WithoutCancel(tb.Context()), "DROP SCHEMA "+schema+" CASCADE", "SET search_path TO public")
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

func TestPoolSize(t *testing.T) {
	for _, bad := range []string{"0", "-1", "many"} {
		_, err := Open(t.Context(), "postgres://nobody@127.0.0.1:1/none?pool_max_conns="+bad, Options{})
		if err == nil || !strings.Contains(err.Error(), "pool_max_conns") {
			t.Errorf("Open with pool_max_conns=%s = %v, want an error that says so", bad, err)
		}
	}
}

func TestPoolOfOne(t *testing.T) {
	address := storetest.EmptyPostgres(t) + "&pool_max_conns=1"
	s := open(t, address, Options{})
	rs := putAll(t, s, "m", 10)
	wantFirst(t, s, "m", rs, 3)
	if n := s.readers.Stats().MaxOpenConnections; n != 1 {
		t.Errorf("the store has up to %d connections, want 1", n)
	}
}
