package sqlstore

import (
	"bytes"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

// TestScratch asks that a store in a schema of its own leaves nothing behind.
func TestScratch(t *testing.T) {
	beside := storetest.EmptyPostgres(t)
	address := os.Getenv("STEMMA_TEST_POSTGRES")
	in, drop, err := Scratch(t.Context(), address, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	schema := u.Query().Get("search_path")
	s := open(t, in, Options{})
	appendAll(t, s, raws(t, 3))
	if other := open(t, beside, Options{}); count(t, other) != 0 || count(t, s) != 3 {
		t.Errorf("the schema %s has %d records, another %d, want 3 and none", schema, count(t, s), count(t, other))
	}
	tables := func() (n int) {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if err := conn.QueryRow(
			t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = $1", schema,
		).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if tables() == 0 {
		t.Errorf("the store is not in the schema %q", schema)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := drop(t.Context()); err != nil || tables() != 0 {
		t.Errorf("dropped: %v, and %d tables are left", err, tables())
	}
	if err := drop(t.Context()); err == nil || !strings.Contains(err.Error(), schema) {
		t.Errorf("a schema that is gone is dropped: %v", err)
	}
}

func TestScratchRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"":          "not that of a PostgreSQL server",
		"memory.db": "not that of a PostgreSQL server",
		"postgres://nobody@127.0.0.1:1/none?pool_max_conns=1": "connect",
		"postgres://nobody@127.0.0.1:bad/none":                "not that of a PostgreSQL server",
	} {
		if _, _, err := Scratch(t.Context(), spec, rand.Reader); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Scratch(%q) = %v, want %q", spec, err, want)
		}
	}
	if _, _, err := Scratch(t.Context(), "postgres://nobody@127.0.0.1:1/none", bytes.NewReader(nil)); err == nil {
		t.Error("a name was made of no numbers")
	}
}
