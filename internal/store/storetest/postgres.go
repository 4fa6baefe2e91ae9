package storetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// EmptyPostgres returns the address of an empty schema that is dropped when the
// test ends.
func EmptyPostgres(tb testing.TB) string {
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
