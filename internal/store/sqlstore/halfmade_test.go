package sqlstore

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// TestLeftUnmade opens a file whose maker was killed before it had a log: a journal
// is beside it that must be rolled back first.
func TestLeftUnmade(t *testing.T) {
	path := tempSQLite(t)
	dying, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer dying.Close()
	conn, err := dying.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	for _, statement := range []string{
		"PRAGMA cache_size = 1", "CREATE TABLE half (x)", "BEGIN",
		"INSERT INTO half VALUES ('" + strings.Repeat("x", 1<<20) + "')",
	} {
		_, err := conn.ExecContext(t.Context(), statement)
		must(t, err)
	}
	copied := tempSQLite(t)
	for _, end := range []string{"", "-journal"} { // as they are when its maker dies
		b, err := os.ReadFile(path + end)
		must(t, err)
		must(t, os.WriteFile(copied+end, b, session.FilePerm))
	}
	s, err := Open(t.Context(), copied, Options{})
	if err != nil {
		t.Fatalf("Open of what was left unmade: %v", err)
	}
	appendAll(t, s, raws(t, 3))
	healthy(t, s)
	must(t, s.Close())
}
