package enginetest

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// Databases opens the stores of these tests that are not in memory.
var Databases store.Databases = sqlstore.Databases{}

// Stores are the places an engine runs on in these tests. With PostgreSQL among them where
// there is a server, every test of each store runs on it too.
var Stores = Places()

// Places says how each kind of store is opened.
func Places() map[string]func(t *testing.T) string {
	all := map[string]func(t *testing.T) string{
		"mem":    func(*testing.T) string { return "mem" },
		"sqlite": func(t *testing.T) string { return filepath.Join(t.TempDir(), "memory.db") },
	}
	if dsn := os.Getenv("STEMMA_TEST_POSTGRES"); dsn != "" {
		all["postgres"] = func(t *testing.T) string { return PostgresSchema(t, dsn) }
	}
	return all
}

// OnEach runs a test on every store.
func OnEach(t *testing.T, test func(t *testing.T, e *engine.Engine)) {
	for name, spec := range Stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, Open(t, spec(t), engine.Config{}))
		})
	}
}

// Open opens a store with keys of its own and a clock that goes a second at a
// time.
func Open(t testing.TB, spec string, c engine.Config) *engine.Engine {
	t.Helper()
	if c.KeyDir == "" {
		c.KeyDir = filepath.Join(t.TempDir(), "keys")
	}
	if c.Now == nil {
		start, ticks := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), new(atomic.Int64)
		c.Now = func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) }
	}
	if c.Databases == nil {
		c.Databases = Databases
	}
	e, err := engine.Open(t.Context(), spec, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// Capture keeps words, or ends the test.
func Capture(t testing.TB, e *engine.Engine, text string) string {
	t.Helper()
	r, err := e.Capture(t.Context(), api.CaptureRequest{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Promote promotes words to an episode, or ends the test.
func Promote(t testing.TB, e *engine.Engine, text string, from ...string) string {
	t.Helper()
	r, err := e.Promote(t.Context(), api.PromoteRequest{From: from, Draft: api.Draft{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Consolidate draws a belief from episodes, or ends the test.
func Consolidate(t testing.TB, e *engine.Engine, text string, from ...string) string {
	t.Helper()
	r, err := e.Consolidate(t.Context(), api.ConsolidateRequest{From: from, Draft: api.Draft{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Add adds a memory of a kind, or ends the test.
func Add(t testing.TB, e *engine.Engine, kind, text string) string {
	t.Helper()
	r, err := e.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: kind, Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Revise revises a memory, or ends the test.
func Revise(t testing.TB, e *engine.Engine, ref, text string) string {
	t.Helper()
	r, err := e.Revise(t.Context(), api.ReviseRequest{Ref: ref, Draft: api.Draft{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// PostgresSchema makes a schema of its own on a server, dropped with the test,
// and returns the address of a store in it.
func PostgresSchema(t testing.TB, dsn string) string {
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
