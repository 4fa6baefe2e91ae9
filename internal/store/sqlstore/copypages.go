package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"

	"github.com/stemma-memory/stemma/internal/live"
)

// pagesAtOnce is how many pages are copied before it is asked whether to go on.
const pagesAtOnce = 4096

// unsafeSet is for a file that counts for nothing until all of it is there and was synced.
const unsafeSet = "journal_mode(OFF) synchronous(OFF) locking_mode(EXCLUSIVE)"

// copyPages copies the pages of the file as of one moment, and looks into none of them. What was
// purged is in none: SQLite writes zeros over what it frees.
func (s *Store) copyPages(ctx context.Context, to string) (err error) {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// one read transaction around all pages: otherwise each write of others begins the copy again
	var tables int
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() {
		_, end := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, end)
	}()
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	err = conn.Raw(func(driver any) error {
		from, is := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !is {
			return fmt.Errorf("the driver %T copies no pages", driver)
		}
		b, err := from.NewBackup(dsn(to, unsafeSet))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if more, err = b.Step(pagesAtOnce); err == nil {
				err = ctx.Err()
			}
		}
		return errors.Join(err, b.Finish())
	})
	if err != nil {
		return err
	}
	return noLog(to)
}

// noLog says in the head of a copy that it has no log beside it, so that it can be read where
// none can be written.
func noLog(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte{1, 1}, writeVersion)
	return errors.Join(err, live.Close(f))
}

// writeVersion is where the head says how the file is written, and after it how it is read: 1
// with a journal, 2 with a log.
const writeVersion = 18
