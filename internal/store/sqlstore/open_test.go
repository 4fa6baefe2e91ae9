package sqlstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// exec runs a statement of a test's own on the writing connection.
func exec(tb testing.TB, s *Store, query string) {
	tb.Helper()
	w, err := s.write.Begin(tb.Context())
	if err == nil {
		if s.d == session.Postgres {
			query = strings.ReplaceAll(query, ";", ";\n")
		}
		err = s.write.Done(session.Run(tb.Context(), w, query))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// closed makes a store with n records and closes it.
func closed(tb testing.TB, n int) string {
	tb.Helper()
	path := tempSQLite(tb)
	s, err := Open(tb.Context(), path, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if n > 0 {
		appendAll(tb, s, raws(tb, n))
	}
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// count returns how many records a store has.
func count(tb testing.TB, s *Store) int {
	tb.Helper()
	st, err := s.Stats(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return st.Records
}

func healthy(tb testing.TB, s *Store) {
	tb.Helper()
	for err := range s.Check(tb.Context()) {
		tb.Errorf("Check gives %v for a healthy store", err)
	}
}

func TestSQLiteIsNewEnough(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	var ok bool
	var version string
	const query = `WITH v(a, b, c) AS (SELECT
			CAST(substr(sqlite_version(), 1, 1) AS INTEGER),
			CAST(substr(sqlite_version(), 3, 2) AS INTEGER),
			CAST(substr(sqlite_version(), 6) AS INTEGER))
		SELECT (a, b, c) >= (3, 51, 3), sqlite_version() FROM v`
	if _, err := s.read.One(t.Context(), []any{&ok, &version}, query); err != nil || !ok {
		t.Errorf("SQLite is %s, %v, want at least 3.51.3: two processes could damage a log before that", version, err)
	}
}

func TestNewerVersion(t *testing.T) {
	path := closed(t, 1)
	s := open(t, path, Options{})
	exec(t, s, "PRAGMA user_version = 199")
	_, err := Open(t.Context(), path, Options{})
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "199") || !strings.Contains(err.Error(), path) {
		t.Errorf("Open of a store of version 199 = %v, want ErrNewer with the version and the path", err)
	}
	if _, err := Open(t.Context(), path, Options{ReadOnly: true}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("Open of it for reading = %v, want ErrNewer", err)
	}
}

func TestNewerVersionPostgres(t *testing.T) {
	address := storetest.EmptyPostgres(t)
	s := open(t, address, Options{})
	exec(t, s, "UPDATE meta SET value = '199' WHERE name = 'schema'")
	if _, err := Open(t.Context(), address, Options{}); !errors.Is(err, store.ErrNewer) ||
		!strings.Contains(err.Error(), "199") {
		t.Errorf("Open of a store of version 199 = %v, want ErrNewer with the version", err)
	}
}

// What was made before 0.1.0 is refused in words that say how it moves, and left as it is.
func TestOlderVersion(t *testing.T) {
	both(t, func(t *testing.T, spec string) {
		s := open(t, spec, Options{})
		appendAll(t, s, raws(t, 1))
		set := "PRAGMA user_version = 7"
		if s.d == session.Postgres {
			set = "UPDATE meta SET value = '7' WHERE name = 'schema'"
		}
		exec(t, s, set)
		for _, o := range []Options{{}, {ReadOnly: true}} {
			_, err := Open(t.Context(), spec, o)
			if !errors.Is(err, store.ErrOlder) || !strings.Contains(err.Error(), "version 7") ||
				!strings.Contains(err.Error(), "export") {
				t.Errorf("Open of a store of version 7 = %v, want ErrOlder with the version and what to do", err)
			}
		}
		if st, err := s.Stats(t.Context()); err != nil || st.Records != 1 {
			t.Errorf("it has %d records after that, %v", st.Records, err)
		}
	})
}

// Kinds have the numbers of their forms in every store, and one that is not known has a
// number from 1001. A kind that the program learned later is listed when it is written.
func TestNumbersOfKinds(t *testing.T) {
	seen := make(map[int]memory.Kind)
	for k, no := range lists.KindNumbers() {
		if other := seen[no]; no < 1 || other != "" || k.IsMemory() != (no <= lists.LastMemory) {
			t.Errorf("%s has the number %d, as %q", k, no, other)
		}
		seen[no] = k
	}
	for text, k := range map[string]memory.Kind{lists.RawKind: memory.KindRaw, lists.MarkKind: memory.KindMark,
		lists.KeyKind: memory.KindKey} {
		if strconv.Itoa(k.Form().Number) != text {
			t.Errorf("%s has the number %d, queries say %s", k, k.Form().Number, text)
		}
	}
	both(t, func(t *testing.T, spec string) {
		s := open(t, spec, Options{})
		exec(t, s, "DELETE FROM kinds WHERE no = 3")
		healthy(t, s)
		r := storetest.NewOwner("kinds").Make(t, &memory.Note{Type: "insight", Summary: "one"})
		appendAll(t, s, []*memory.Record{r})
		var no, unknown int
		if _, err := s.read.One(t.Context(), []any{&no}, "SELECT no FROM kinds WHERE name = 'note'"); err != nil || no != 3 {
			t.Errorf("note is listed under %d, %v, want 3", no, err)
		}
		exec(t, s, "DELETE FROM kinds WHERE no = 3")
		said := 0
		for range s.Check(t.Context()) {
			said++
		}
		if said == 0 {
			t.Error("nothing is said of records whose kind is not listed")
		}
		if _, err := s.Repair(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		healthy(t, s)
		err := s.Change(t.Context(), "test", func(ctx context.Context, w *session.Session) (err error) {
			s.names.Start()
			for _, name := range []string{"dream", "wish"} {
				if unknown, err = s.names.Intern(ctx, w, lists.Kinds, name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || unknown != 1002 {
			t.Errorf("the second unknown kind has %d, %v, want 1002", unknown, err)
		}
	})
}

func TestForeignFile(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	other := closed(t, 0)
	s := open(t, other, Options{})
	exec(t, s, "PRAGMA application_id = 7")
	short := filepath.Join(t.TempDir(), "short.txt")
	if err := os.WriteFile(short, []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		text: "does not begin like a database", short: "does not begin like a database",
		other: "a database of another program",
	} {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func() (*Store, error){
			"Open": func() (*Store, error) { return Open(t.Context(), path, Options{}) },
			"Peek": func() (*Store, error) { return Peek(t.Context(), path) },
		} {
			_, err := open()
			if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(),
				"it is no store: ") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s(%s) = %v, want that it is no store, with the path and %q", name, path, err, want)
			}
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s was changed: %v", path, err)
		}
	}
	if _, err := Open(t.Context(), t.TempDir(), Options{}); err == nil {
		t.Error("Open of a directory gives no error")
	}
	if _, err := Open(t.Context(), tempSQLite(t), Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of no file for reading = %v, want ErrNotExist", err)
	}
}

// checkpoint brings all of a store into its one file.
func checkpoint(tb testing.TB, path string) {
	tb.Helper()
	s, err := Open(tb.Context(), path, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	exec(tb, s, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
}

func TestTruncatedFile(t *testing.T) {
	path := closed(t, 500)
	checkpoint(t, path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("Open of half a file = %v, want ErrDamaged", err)
		}
		return
	}
	defer s.Close()
	for err := range s.Check(t.Context()) {
		if errors.Is(err, store.ErrDamaged) {
			return
		}
	}
	t.Error("Check finds nothing in half a file")
}

func TestPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "memory.db")
	s := open(t, path, Options{})
	appendAll(t, s, raws(t, 1))
	for name, want := range map[string]fs.FileMode{
		filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestReadingChangesNothing(t *testing.T) {
	path := closed(t, 20)
	files := func() [2][]byte {
		db, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wal, err := os.ReadFile(path + "-wal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return [2][]byte{db, wal}
	}
	before := files()
	for _, o := range []Options{{}, {ReadOnly: true}} {
		s, err := Open(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, s); n != 20 {
			t.Errorf("a closed store has %d records, want 20", n)
		}
		healthy(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	after := files()
	if !bytes.Equal(before[0], after[0]) || !bytes.Equal(before[1], after[1]) {
		t.Error("reading changed the bytes of a file")
	}
}

func TestReadOnlyOption(t *testing.T) {
	path := closed(t, 3)
	s := open(t, path, Options{ReadOnly: true})
	rs := raws(t, 4)
	if _, err := s.Append(t.Context(), store.Batch{Records: rs[3:]}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Append to a store opened for reading = %v, want ErrReadOnly", err)
	}
	if err := s.SetCursor(t.Context(), "x", 1); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("SetCursor = %v, want ErrReadOnly", err)
	}
	if n := count(t, s); n != 3 {
		t.Errorf("it has %d records, want 3", n)
	}
}

func TestOpenAtOnce(t *testing.T) {
	for name, spec := range map[string]func(testing.TB) string{"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres} {
		t.Run(name, func(t *testing.T) {
			const openers = 8
			address := spec(t)
			rs := raws(t, openers)
			var all sync.WaitGroup
			for i := range openers {
				all.Go(func() {
					s, err := Open(t.Context(), address, Options{})
					if err != nil {
						t.Error(err)
						return
					}
					if _, err := s.Append(t.Context(), store.Batch{Records: rs[i : i+1]}); err != nil {
						t.Error(err)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if n := count(t, open(t, address, Options{})); n != openers {
				t.Errorf("%d records are kept, want %d", n, openers)
			}
		})
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with a blank.db", "what?.db", "50%41.db", "a#b&c=d;e.db", "ünïcode.db"} {
		path := filepath.Join(t.TempDir(), name)
		appendAll(t, open(t, "sqlite:"+path, Options{}), raws(t, 1))
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the store is not where it was asked to be: %v", err)
		}
	}
}

func TestSettings(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	w, err := s.write.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		on            *session.Session
		setting, want string
	}{
		{w, "journal_mode", "wal"}, {w, "synchronous", "2"}, {w, "secure_delete", "1"}, {w, "busy_timeout", "10000"},
		{w, "foreign_keys", "1"}, {w, "trusted_schema", "0"}, {w, "cell_size_check", "1"}, {w, "wal_autocheckpoint", "1000"},
		{s.read, "query_only", "1"}, {s.read, "trusted_schema", "0"}, {s.read, "busy_timeout", "10000"},
	} {
		var got string
		if _, err := tt.on.One(t.Context(), []any{&got}, "PRAGMA "+tt.setting); err != nil || got != tt.want {
			t.Errorf("%s is %q, %v, want %q", tt.setting, got, err, tt.want)
		}
	}
}
