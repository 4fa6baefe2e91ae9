package sqlstore

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/foreign"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// lookedAt names a file to the process that TestAsOutsider runs as.
const lookedAt = "STEMMA_LOOKED_AT"

// TestAsOutsider is no test: it is another program that opens the file of a store,
// reads it and closes it. The last one to close a file takes its log away.
func TestAsOutsider(t *testing.T) {
	path := os.Getenv(lookedAt)
	if path == "" {
		return
	}
	db, err := sql.Open("sqlite", session.DSN(path, "", "mode=rw"))
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := errors.Join(db.QueryRow("SELECT count(*) FROM records").Scan(&n), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// outsiders have a file open for a moment: a program with our SQLite, one with an older
// one if it is installed, and one that appends and says what was kept.
func outsiders(t *testing.T, path, name string) []memory.ID {
	t.Helper()
	cmd := osexec.Command(os.Args[0], "-test.run=^TestAsOutsider$")
	cmd.Env = append(os.Environ(), lookedAt+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the other program: %v\n%s", err, out)
	}
	if other, err := osexec.LookPath("sqlite3"); err == nil {
		if out, err := osexec.Command(other, path, "SELECT count(*) FROM records").CombinedOutput(); err != nil {
			t.Fatalf("sqlite3: %v\n%s", err, out)
		}
	}
	acks, err := child(t.Context(), path, name, 5)
	if err != nil {
		t.Fatal(err)
	}
	return acks
}

// One process may have a store open twice, and look at its file in every way there is,
// while other programs open and close it: no one takes the log away under a writer.
func TestOpenTwiceBesideOthers(t *testing.T) {
	nothing := func() error { return nil }
	for name, look := range map[string]func(t *testing.T, path string) (end func() error, err error){
		"Open": func(t *testing.T, path string) (func() error, error) {
			s, err := Open(t.Context(), path, Options{})
			if err != nil {
				return nil, err
			}
			return s.Close, readSome(t, s)
		},
		"Open and Close": func(t *testing.T, path string) (func() error, error) {
			s, err := Open(t.Context(), path, Options{})
			if err != nil {
				return nil, err
			}
			return nothing, errors.Join(readSome(t, s), s.Close())
		},
		"Open to read": func(t *testing.T, path string) (func() error, error) {
			s, err := Open(t.Context(), path, Options{ReadOnly: true})
			if err != nil {
				return nil, err
			}
			return nothing, errors.Join(readSome(t, s), s.Close())
		},
		"Peek": func(t *testing.T, path string) (func() error, error) {
			s, err := Peek(t.Context(), path)
			if err != nil {
				return nil, err
			}
			return nothing, errors.Join(readSome(t, s), s.Close())
		},
		"Copy": func(t *testing.T, path string) (func() error, error) {
			return nothing, Copy(t.Context(), path, path+".copy")
		},
		"Flush": func(_ *testing.T, path string) (func() error, error) { return nothing, durable.Flush(path) },
		"OpenForeign": func(t *testing.T, path string) (func() error, error) {
			f, err := foreign.Open(t.Context(), path)
			if err != nil {
				return nil, err
			}
			return nothing, f.Close()
		},
		"MoveAside": func(t *testing.T, path string) (func() error, error) {
			if err := MoveAside(t.Context(), path, path+".aside", nothing); !errors.Is(err, store.ErrBusy) {
				return nil, fmt.Errorf("of a store that is open: %v, want ErrBusy", err)
			}
			return nothing, nil
		},
		"a file read by its name": func(_ *testing.T, path string) (func() error, error) {
			for _, name := range []string{path, path + "-shm", path + "-wal"} {
				f, err := os.Open(name)
				if err != nil {
					return nil, err
				}
				if err := live.Close(f); err != nil {
					return nil, err
				}
			}
			return nothing, nil
		},
		"a file made where it is": func(_ *testing.T, path string) (func() error, error) { return nothing, touch(path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			if err := open(t, path, Options{}).Close(); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			if err := readSome(t, s); err != nil {
				t.Fatal(err)
			}
			end, err := look(t, path)
			if err != nil {
				t.Fatal(err)
			}
			a := storetest.NewOwner("ann")
			var acks []memory.ID
			for i := range 60 {
				r := a.Raw(t, sentence(i))
				if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
					t.Fatalf("after %d records: %v", i, err)
				}
				if acks = append(acks, r.ID); i%20 == 0 {
					acks = append(acks, outsiders(t, path, fmt.Sprint("other ", i))...)
				}
			}
			if err := errors.Join(end(), s.Close()); err != nil {
				t.Fatal(err)
			}
			again := open(t, path, Options{})
			if n := lost(t, again, acks); n > 0 {
				t.Errorf("%d of %d acknowledged records are lost", n, len(acks))
			}
			for err := range again.Check(t.Context()) {
				t.Error(err)
			}
		})
	}
}

// readSome reads something.
func readSome(t *testing.T, s *Store) error {
	_, err := s.Stats(t.Context())
	return err
}
