package engine_test

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// postgresSchema makes a schema of its own on a server, dropped with the test,
// and returns the address of a store in it.
func postgresSchema(t testing.TB, dsn string) string {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	var b [6]byte
	_, _ = rand.Read(b[:])
	schema := "engine_" + hex.EncodeToString(b[:])
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.Exec("DROP SCHEMA " + schema + " CASCADE"); err != nil {
			t.Error(err)
		}
		db.Close()
	})
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

// with PostgreSQL among the stores where there is a server, every engine test
// runs on it too.
func TestMain(m *testing.M) {
	if dsn := os.Getenv("STEMMA_TEST_POSTGRES"); dsn != "" {
		stores["postgres"] = func(t *testing.T) string { return postgresSchema(t, dsn) }
	}
	code := m.Run()
	for _, f := range afterAll {
		f()
	}
	os.Exit(code)
}
