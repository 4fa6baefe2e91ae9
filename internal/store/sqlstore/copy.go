package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/convert"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// besideFile are the suffixes of the files that SQLite keeps next to a database: without them
// it may not be the store it was.
var sidecars = []string{"-wal", "-shm", "-journal"}

// Path returns the file of the store, "" if it is not a file.
func (s *Store) Path() string {
	if s.d != session.SQLite {
		return ""
	}
	return s.name
}

// Copy writes a store's file, as of one moment, into another, which is empty or does not
// exist. Others may read and write it meanwhile. When it returns nil the copy is on disk; it
// has no journal, and is readable where no file can be written next to it.
func Copy(ctx context.Context, from, to string) (err error) {
	from, err = filepath.Abs(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("copy %s: it is a directory", from)
	case info.Size() < session.PageSize:
		return fmt.Errorf("copy %s: %w: it has only %d bytes", from, store.ErrDamaged, info.Size())
	}
	s := &Store{d: session.SQLite, name: from, readOnly: true, names: lists.New()}
	if err := s.openReaders(ctx, from); err != nil {
		return s.Failed("copy", err)
	}
	s.now, s.rand = time.Now, rand.Reader
	err = s.copyTo(ctx, to)
	if in := s.fallback(ctx, err); in != nil { // pages of derived data are damaged
		if err = removeCopy(to); err == nil {
			err = in.copyTo(ctx, to)
		}
	}
	return s.Failed("copy", errors.Join(err, s.dropFallback(), s.read.Close(), s.readers.Close()))
}

// removeCopy empties a file that a copy was begun in.
func removeCopy(to string) error {
	for _, end := range append([]string{""}, sidecars...) {
		if err := os.Remove(to + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return touch(to)
}

func (s *Store) copyTo(ctx context.Context, to string) error {
	version, err := s.version(ctx, s.read)
	switch {
	case err != nil:
		return err
	case version == 0:
		return fmt.Errorf("%w: it is no store", store.ErrDamaged)
	}
	if err := s.copyPages(ctx, to); err != nil {
		return err
	}
	return durable.Flush(to)
}

// Install makes a copy that no one has open the store at a path where none is.
func Install(ctx context.Context, made, path string) error {
	w := &session.SQLiteWriter{Path: made}
	if err := errors.Join(w.UseWAL(ctx), w.Close()); err != nil {
		return fmt.Errorf("install %s: %w", path, err)
	}
	if err := durable.Flush(made); err != nil {
		return err
	}
	if err := durable.Place(made, path); err != nil {
		return err
	}
	return durable.Names(filepath.Dir(path))
}

// MoveAside returns the store at a path another name, and calls then before anybody
// else can open what comes in its place. It fails with store.ErrBusy while others
// have the store open: they would go on writing into what was put aside. Of a
// damaged file no one can ask that.
func MoveAside(ctx context.Context, path, aside string, then func() error) error {
	if _, err := os.Lstat(aside); err == nil {
		return fmt.Errorf("%s: %w", aside, fs.ErrExist)
	}
	free, err := convert.Alone(ctx, path)
	if err != nil && session.ExplainSQLite(err) == store.ErrDamaged {
		for _, end := range append([]string{""}, sidecars...) {
			if err := os.Rename(path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return then()
	}
	if err != nil {
		kind := session.ExplainSQLite(err)
		if kind == nil {
			kind = store.ErrReadOnly
		}
		return fmt.Errorf("move %s aside: %w: %w", path, kind, err)
	}
	if runtime.GOOS == "windows" { // an open file keeps its name there
		err, free = free(), func() error { return nil }
	}
	if err == nil {
		err = os.Rename(path, aside)
	}
	if err == nil {
		err = then()
	}
	if err = errors.Join(err, free()); err != nil {
		return err
	}
	w := &session.SQLiteWriter{Path: aside}
	return errors.Join(w.UseWAL(ctx), w.Close())
}
