package sqlstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/convert"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// readConns is how many readers one process has at a time on SQLite.
const readConns = 4

func (s *Store) openSQLite(ctx context.Context, path string) error {
	head, _ := headOf(path)
	s.tidy(path, head)
	err := s.openFile(ctx, path)
	if err == nil {
		s.opened, err = os.Stat(s.name)
	}
	return orNoStore(path, head, err)
}

// tidy erases what a process left beside the store that was killed while it converted it. The file
// of the lock stays for good, so a store that was never converted is asked for one name.
func (s *Store) tidy(path string, head []byte) {
	if s.readOnly || !bytes.HasPrefix(head, []byte(magic)) {
		return
	}
	if _, err := os.Lstat(path + convert.Lock); err == nil {
		_ = convert.EraseLeft(path) // or the next who opens it does
	}
}

func (s *Store) openFile(ctx context.Context, path string) error {
	s.d, s.name = session.SQLite, path
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	s.name = path
	w := &session.SQLiteWriter{Path: path, Patience: s.patience}
	s.write = w
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return noStore{"it is a directory"}
	case err == nil && !info.Mode().IsRegular():
		return noStore{"it is no file"}
	}
	size, sizeErr := plainSize(path, info)
	switch {
	case sizeErr != nil:
		return sizeErr
	case err == nil && size > 0 && size < session.PageSize:
		return fmt.Errorf("%w: it is cut off after %d bytes", store.ErrDamaged, size)
	case err == nil && size > 0 && (s.readOnly || !leftUnmade(path)):
	case s.readOnly:
		return fmt.Errorf("there is no store: %w", fs.ErrNotExist)
	case err == nil || errors.Is(err, fs.ErrNotExist): // nothing there yet, or not all of it
		if err := s.likeAnother(path); err != nil {
			return err
		}
		if err := s.createSQLite(ctx, w); err != nil {
			return err
		}
	default:
		return err
	}
	if !s.readOnly && isCurrent(path) && session.CanWrite(filepath.Dir(path)) {
		return s.connectReaders(path, session.DSN(
			path, session.Lasting(s.patience)+session.AlwaysSet+" "+session.ReaderSet+" "+session.ReaderCache, "mode=ro",
		))
	}
	if err := s.openReaders(ctx, path); err != nil {
		return err
	}
	return s.upgrade(ctx)
}

// leftUnmade reports whether the process that made the file died before it was done: until the
// file has a log it has a journal, which only a writer can roll back.
func leftUnmade(path string) bool {
	journal, err := os.Stat(path + "-journal")
	return err == nil && journal.Size() > 0
}

// isCurrent reports whether the head of a file says that it is a store of our version, and no
// log next to it could say otherwise. Then no connection is needed to ask, and a process that
// only writes, such as a capture from a command line, opens one and not two. A file that is
// open here already is not checked.
func isCurrent(path string) bool {
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return false // what it says may be newer
	}
	head, size := headOf(path)
	version, err := versionOf(session.SQLite)
	return err == nil && size >= session.PageSize && bytes.HasPrefix(head, []byte(magic)) &&
		binary.BigEndian.Uint32(head[userVersion:]) == uint32(version) &&
		binary.BigEndian.Uint32(head[application:]) == applicationID
}

// The fields of a database file's head.
const (
	magic       = "SQLite format 3\x00"
	userVersion = 60 // its offset: four bytes, the high one first
	application = 68
	headSize    = 100
)

// headOf reads the head of a file, and how long the file is; nothing of one that is open
// here already, or that is shorter than the head.
func headOf(path string) (head []byte, size int64) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || live.Has(info) {
		return nil, 0
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0
	}
	head = make([]byte, headSize)
	_, err = io.ReadFull(f, head)
	info, statErr := f.Stat()
	if err == nil && statErr == nil && atrest.Is(head) {
		head, size, err = sealedHead(f, path, headSize)
	} else if statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, statErr, live.Close(f)); err != nil {
		return nil, 0
	}
	return head, size
}

// orNoStore adds to the error of a file that could not be opened whether it is a store at all,
// by the head that it had before. It is called only after an error, since a store that is
// being made looks the same.
func orNoStore(path string, head []byte, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch info, statErr := os.Stat(path); {
	case statErr != nil || info.Size() == 0 || !info.Mode().IsRegular():
		return err
	case head == nil && info.Size() >= headSize: // it is open here
		return err
	case !bytes.HasPrefix(head, []byte(magic)):
		return noStore{
			"the file does not begin like a database; if it was a store, `recover_file FILE` saves the undamaged records",
		}
	case errors.Is(err, store.ErrDamaged) && binary.BigEndian.Uint32(head[application:]) != applicationID &&
		!hasMore(path):
		return noStore{"it is a database of another program"}
	}
	return err
}

// createSQLite makes the file, readable to its owner alone, and the schema.
// Another process may be doing the same.
func (s *Store) createSQLite(ctx context.Context, w *session.SQLiteWriter) error {
	if err := os.MkdirAll(filepath.Dir(w.Path), session.DirPerm); err != nil {
		return readOnlyIf(err)
	}
	if err := touch(w.Path); err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := w.UseWAL(ctx)
		if err == nil {
			break
		}
		if session.ExplainSQLite(err) != store.ErrBusy || try == mostTries {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return s.migrate(ctx)
}

// touch makes a file that its owner alone can read, unless it is there.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, session.FilePerm)
	if err != nil {
		return readOnlyIf(err)
	}
	return live.Close(f)
}

// readOnlyIf says so where a file could not be made for want of permission.
func readOnlyIf(err error) error {
	if errors.Is(err, fs.ErrPermission) || session.IsReadOnlyFS(err) {
		return fmt.Errorf("%w: %w", store.ErrReadOnly, err)
	}
	return err
}

// openReaders opens the readers, and tries whether they can read. They open the file
// read-only, so that the last of them to close cannot write the log back into it: only writers
// do that, once in a thousand pages.
//
// On a read-only medium the log cannot be shared, and need not be. It is then read without
// locks.
func (s *Store) openReaders(ctx context.Context, path string) error {
	settings := session.Lasting(s.patience) + session.AlwaysSet + " " + session.ReaderSet
	tries := []string{
		session.DSN(path, settings+" "+session.ReaderCache, "mode=ro"),
		session.DSN(path, "locking_mode(EXCLUSIVE) "+settings, "mode=ro", "vfs=unix-none"),
		session.DSN(path, settings, "mode=ro", "immutable=1"),
	}
	var first error
	for i, name := range tries {
		if i > 0 && session.CanWrite(filepath.Dir(path)) {
			break
		}
		err := s.tryReaders(ctx, path, name)
		if err == nil {
			s.readOnly = s.readOnly || i > 0
			return nil
		}
		if first == nil {
			first = err
		}
		if session.ExplainSQLite(err) == store.ErrDamaged {
			break
		}
	}
	return first
}

func (s *Store) tryReaders(ctx context.Context, path, name string) error {
	if err := s.connectReaders(path, name); err != nil {
		return err
	}
	var n int
	if _, err := s.read.One(ctx, []any{&n}, "SELECT count(*) FROM sqlite_schema"); err != nil {
		err = errors.Join(err, s.readers.Close())
		s.readers, s.read = nil, nil
		return err
	}
	return nil
}

// connectReaders makes the readers; the first read opens the first of them.
func (s *Store) connectReaders(path, name string) error {
	db, err := session.OpenFile(path, name)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(readConns + 1) // the last of them asks whether anything changed
	db.SetMaxIdleConns(readConns)
	s.readers, s.read = db, session.New(s.d, db, true)
	s.key = atrest.OpenedWith(path)
	return nil
}

// hasMore reports whether a file has a log or a journal next to it.
func hasMore(path string) bool {
	for _, end := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + end); err == nil && info.Size() > 0 {
			return true
		}
	}
	return false
}

// noStore is the error about a file that was never one of ours.
type noStore struct{ what string }

func (e noStore) Error() string { return "it is no store: " + e.what }

func (e noStore) Is(target error) bool { return target == store.ErrDamaged }
