package sqlstore

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
)

// made makes a store with the name of its kind, and runs a statement on its file.
func made(t *testing.T, statement string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if statement == "" {
		return path
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestALookLeavesNothingBehind(t *testing.T) {
	path := made(t, "")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Peek(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if name, err := s.StoreName(t.Context()); err != nil || len(name) < 16 {
		t.Errorf("StoreName = %q, %v", name, err)
	}
	if odd, err := s.Odd(t.Context()); err != nil || len(odd) > 0 {
		t.Errorf("Odd = %q, %v, want nothing", odd, err)
	}
	if at, err := s.FirstCame(t.Context()); err != nil || !at.IsZero() {
		t.Errorf("FirstCame of a store without records = %v, %v", at, err)
	}
	if _, err := s.RootAt(t.Context(), "a/main", 1); err == nil {
		t.Error("a log without records has a root at 1")
	}
	if err := s.Hold(t.Context(), store.Checkpoint{Space: "a/main"}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a write: %v, want ErrReadOnly", err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files beside the store while it is open, %v, want it alone", len(files), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestALookSeesWhatLiesInTheLogBeside(t *testing.T) {
	path := made(t, "")
	t.Setenv("TMPDIR", t.TempDir())
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE meta SET value = 'in the log' WHERE name = 'store'"); err != nil {
		t.Fatal(err)
	}
	s, err := Peek(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if name, err := s.StoreName(t.Context()); err != nil || name != "in the log" {
		t.Errorf("StoreName = %q, %v, want what is in the log", name, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d files are left of the copy, %v, want none", len(left), err)
	}
}

func TestALookRefusesWhatIsNoTable(t *testing.T) {
	for name, statement := range map[string]string{
		"a view": "ALTER TABLE meta RENAME TO was; CREATE VIEW meta AS WITH RECURSIVE n(name, value) AS " +
			"(SELECT 'store', 'x' UNION ALL SELECT name, value FROM n) SELECT * FROM n",
		"no table":        "DROP TABLE payloads",
		"another program": "PRAGMA application_id = 7",
	} {
		if _, err := Peek(t.Context(), made(t, statement)); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
	}
	dir := t.TempDir()
	if _, err := Peek(t.Context(), filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want fs.ErrNotExist", err)
	}
	if _, err := Peek(t.Context(), dir); err == nil {
		t.Error("a directory is opened")
	}
}

func TestAStrangersTriggerIsNamed(t *testing.T) {
	for _, tt := range []struct{ statement, want string }{
		{"CREATE TRIGGER helpful AFTER INSERT ON records BEGIN DELETE FROM usage; END", "trigger helpful"},
		{
			"DROP TRIGGER records_kept; CREATE TRIGGER records_kept BEFORE UPDATE ON records BEGIN DELETE FROM usage; END",
			"trigger records_kept",
		},
		{"CREATE VIEW more AS SELECT * FROM usage", "view more"},
	} {
		s, err := Peek(t.Context(), made(t, tt.statement))
		if err != nil {
			t.Fatal(err)
		}
		odd, err := s.Odd(t.Context())
		if err != nil || strings.Join(odd, ", ") != tt.want {
			t.Errorf("Odd = %q, %v, want %q", odd, err, tt.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAnAddressHasNoPassword(t *testing.T) {
	for in, want := range map[string]string{
		"postgres://ada:secret@db:5432/memory?search_path=a&pool_max_conns=3": "postgres://ada@db:5432/memory?search_path=a",
		"postgresql://db/memory?password=secret&sslpassword=more":             "postgresql://db/memory",
	} {
		if got := store.Address(in); got != want {
			t.Errorf("store.Address(%q) = %q, want %q", in, got, want)
		}
	}
}
