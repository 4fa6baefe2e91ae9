// Package convert encrypts a store's file in place, or makes it plain again.
package convert

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/codec"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

const (
	magic        = "SQLite format 3\x00"
	writeVersion = 18      // where the head says that there is a log, and after it the same for readers
	atOnce       = 1 << 20 // bytes
	betweenTries = 20 * time.Millisecond
)

// What lies beside a store while it is converted, and after a process was killed that did.
const (
	halfConverted = ".converting" // the new file, until it is whole
	beforeConvert = ".converted"  // the old file and its log, until they are erased
	Lock          = halfConverted + ".lock"
)

// File encrypts a store's file with a key, or with none makes it plain. The file changes at
// once, when all of it was written, flushed and read back; a process that is killed meanwhile leaves the
// old one or the new one, and what else is there the next who opens the store erases. It fails with
// store.ErrBusy while others have the store open.
func File(
	ctx context.Context, path string, key *atrest.Key, head *atrest.Head, patience time.Duration,
) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	unlock, err := journal.Lock(path+halfConverted, time.Second)
	if err != nil {
		return fmt.Errorf("convert %s: %w: another process converts it", path, store.ErrBusy)
	}
	defer unlock()
	if err := eraseLeft(path); err != nil {
		return err
	}
	made, err := os.OpenFile(path+halfConverted, os.O_RDWR|os.O_CREATE|os.O_EXCL, session.FilePerm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	from, err := atrest.KeyOf(path)
	if err != nil {
		return err
	}
	for _, end := range []string{"-wal", "-journal"} { // erased, and not only unlinked
		if err := os.Link(path+end, path+beforeConvert+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, eraseLeft(path))
		}
	}
	free, err := aloneSoon(ctx, path, patience)
	if err != nil {
		if kind := session.ExplainSQLite(err); kind != nil {
			err = fmt.Errorf("convert %s: %w: %w", path, kind, err)
		}
		return errors.Join(err, eraseLeft(path))
	}
	if err = convertPages(ctx, path, made, from, key, head); err == nil {
		err = os.Link(path, path+beforeConvert)
	}
	if runtime.GOOS == "windows" { // an open file keeps its name there
		err, free = errors.Join(err, free()), func() error { return nil }
	}
	if err == nil {
		err = durable.Rename(path+halfConverted, path)
	}
	if err = errors.Join(err, free()); err != nil {
		return errors.Join(err, finish(path))
	}
	return eraseLeft(path)
}

// finish erases what is left of a conversion, and gives a store its log back.
func finish(path string) error {
	w := &session.SQLiteWriter{Path: path}
	return errors.Join(eraseLeft(path), w.UseWAL(context.Background()), w.Close())
}

// aloneSoon is Alone, and waits for others.
func aloneSoon(ctx context.Context, path string, patience time.Duration) (free func() error, err error) {
	for end := time.Now().Add(patience); ; {
		free, err = Alone(ctx, path)
		if err == nil || session.ExplainSQLite(err) != store.ErrBusy || time.Now().After(end) {
			return free, err
		}
		select {
		case <-time.After(betweenTries):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// convertPages writes the pages of a file that no one else has open into another, and reads them
// back.
func convertPages(
	ctx context.Context, path string, made *os.File, from, key *atrest.Key, head *atrest.Head,
) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(in)) }()
	var pages io.Reader = in
	if from != nil {
		if pages, err = codec.NewReader(in, from); err != nil {
			return err
		}
	}
	var out io.Writer = made
	if key != nil {
		if out, err = codec.NewWriter(made, key, head); err != nil {
			return err
		}
	}
	sum := sha256.New()
	block := make([]byte, atOnce)
	for first := true; ; first = false {
		n, err := io.ReadFull(pages, block)
		if n == 0 && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		b := block[:n]
		if first {
			if !bytes.HasPrefix(b, []byte(magic)) || binary.BigEndian.Uint16(b[len(magic):]) != session.PageSize {
				return fmt.Errorf("%w: it is no store with pages of %d bytes", store.ErrDamaged, session.PageSize)
			}
			b[writeVersion], b[writeVersion+1] = 2, 2 // with a log again
		}
		if n%session.PageSize != 0 {
			return fmt.Errorf("%w: it ends within a page", store.ErrDamaged)
		}
		sum.Write(b)
		if _, err := out.Write(b); err != nil {
			return session.FullIf(err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := made.Sync(); err != nil {
		return session.FullIf(err)
	}
	return readBack(made, key, sum.Sum(nil))
}

// readBack compares what was written with what should have been.
func readBack(made *os.File, key *atrest.Key, want []byte) error {
	if _, err := made.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var in io.Reader = made
	if key != nil {
		r, err := codec.NewReader(made, key)
		if err != nil {
			return err
		}
		in = r
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return errors.New("what was written is not what is read back: the disk may be damaged; nothing was changed")
	}
	return nil
}

// Left reports whether something is left of a conversion, or one is under way.
func Left(path string) bool { return left(path) }

// EraseLeft erases what a process left that was killed while it converted a store, unless one does
// so now.
func EraseLeft(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil || !left(path) {
		return nil // the next to open it says what is wrong
	}
	unlock, locked, err := journal.TryLock(path + Lock)
	if err != nil || !locked {
		return nil // that process erases it
	}
	defer unlock()
	return finish(path)
}

// ends are those of what may be left.
var ends = []string{halfConverted, beforeConvert, beforeConvert + "-wal", beforeConvert + "-journal"}

func left(path string) bool {
	for _, end := range ends {
		if _, err := os.Lstat(path + end); err == nil {
			return true
		}
	}
	return false
}

func eraseLeft(path string) error {
	var err error
	for _, end := range ends {
		err = errors.Join(err, erase(path+end, path, path+"-wal", path+"-journal"))
	}
	if key, keyErr := atrest.KeyOf(path); keyErr != nil || key == nil {
		return err
	}
	beside, listErr := os.ReadDir(filepath.Dir(path))
	for _, f := range beside { // an encrypted store keeps no codes of vectors in files
		if strings.HasPrefix(f.Name(), filepath.Base(path)+"-vectors-") {
			err = errors.Join(err, erase(filepath.Join(filepath.Dir(path), f.Name())))
		}
	}
	return errors.Join(err, listErr)
}

// erase writes zeros over a file and removes it. One that is still in use under another name only
// loses this one.
func erase(path string, used ...string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, other := range used {
		if o, err := os.Lstat(other); err == nil && os.SameFile(info, o) {
			return os.Remove(path)
		}
	}
	if info.Mode().IsRegular() {
		if err := zero(path, info.Size()); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.Names(filepath.Dir(path))
}

func zero(path string, size int64) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	zeros := make([]byte, atOnce)
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return f.Sync()
}

// Alone takes exclusive hold of a store: no other has it open, and none can open it until
// it is released. Its log is then written back into the file.
func Alone(ctx context.Context, path string) (free func() error, err error) {
	db, err := session.OpenFile(path, session.DSN(path, session.AlwaysSet+" "+session.WriterSet, "mode=rw"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var mode string
	// giving up the log needs exclusive access
	if err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode); err == nil {
		_, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() error {
		_, err := db.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return errors.Join(err, db.Close())
	}, nil
}
