package session

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite" // the driver "sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/stemma-memory/stemma/internal/store"
)

// SQLiteCode returns the extended code of a SQLite error, 0 for other errors.
func SQLiteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// primary is the part of a SQLite code that says what kind of error it is.
const primary = 0xff

// ExplainSQLite returns the sentinel for an error of SQLite.
func ExplainSQLite(err error) error {
	code := SQLiteCode(err)
	if code == lib.SQLITE_IOERR_DATA { // a page of an encrypted store
		return store.ErrDamaged
	}
	switch code & primary {
	case lib.SQLITE_FULL:
		return store.ErrFull
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return store.ErrBusy
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return store.ErrDamaged
	case lib.SQLITE_READONLY:
		return store.ErrReadOnly
	case lib.SQLITE_ERROR:
		if text := err.Error(); strings.Contains(text, "no such table: ") || strings.Contains(text, "no such column: ") {
			return store.ErrDamaged // every store has it
		}
	}
	return nil
}

// FullIf says so where a disk is full.
func FullIf(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	}
	return err
}

// SyncFailed reports whether SQLite could not flush to the disk. What was
// written before may be lost although a second try succeeds, so the store
// writes no more until it is opened again.
func SyncFailed(err error) bool {
	c := SQLiteCode(err)
	return c == lib.SQLITE_IOERR_FSYNC || c == lib.SQLITE_IOERR_DIR_FSYNC
}

// The codes of PostgreSQL that mean something to us.
const (
	Serialization   = "40001"
	pgDeadlock      = "40P01"
	pgUnique        = "23505"
	pgTableThere    = "42P07"
	pgReadOnly      = "25006"
	pgDiskFull      = "53100"
	pgTooMany       = "53300"
	LockTimeout     = "55P03"
	pgDataCorrupted = "XX001"
	pgIndexCorrupt  = "XX002"
	pgShutdown      = "57P01"
	pgCrashed       = "57P02"
	pgStarting      = "57P03"
	pgConnection    = "08" // a class
	Forbidden       = "42501"
	pgInternal      = "XX000"
)

// PostgresCode returns the code of an error of PostgreSQL, "" for other errors.
func PostgresCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// explainPostgres returns the sentinel for an error of PostgreSQL.
func explainPostgres(err error) error {
	switch PostgresCode(err) {
	case pgDiskFull:
		return store.ErrFull
	case pgTooMany, LockTimeout, Serialization, pgDeadlock:
		return store.ErrBusy
	case pgDataCorrupted, pgIndexCorrupt:
		return store.ErrDamaged
	case pgReadOnly:
		return store.ErrReadOnly
	case Forbidden:
		return store.ErrRole
	}
	if GoneAway(err) || NodeFailed(err) {
		return store.ErrGone
	}
	return nil
}

// GoneAway reports whether the connection to PostgreSQL broke, was refused, or was
// ended by the server: what was not committed is not there.
func GoneAway(err error) bool {
	switch c := PostgresCode(err); {
	case c == pgShutdown, c == pgCrashed, c == pgStarting, strings.HasPrefix(c, pgConnection):
		return true
	case c == pgInternal:
		return nodeGone(err.Error())
	case c != "":
		return false
	}
	var network net.Error
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return connecting || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.As(err, &network) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) ||
		strings.Contains(err.Error(), "conn closed")
}

// nodeGone reports whether an error of Citus without a code of its own says that it lost a node in the middle of a
// statement: the words are those of the client library of PostgreSQL.
func nodeGone(text string) bool {
	return slices.ContainsFunc([]string{
		"server closed the connection unexpectedly", "no connection to the server", "invalid socket",
		"could not receive data from server", "could not send data to server",
	}, func(s string) bool { return strings.Contains(text, s) })
}

// NodeFailed reports whether Citus could not commit on one of its nodes: mostly another transaction came between there.
func NodeFailed(err error) bool {
	return PostgresCode(err) == pgInternal && strings.Contains(err.Error(), "could not commit transaction for shard")
}

// retryPostgres reports whether the whole transaction should be tried again:
// another one came between, or gave the same number to a new name.
func retryPostgres(err error) bool {
	switch PostgresCode(err) {
	case Serialization, pgDeadlock, pgUnique, pgTableThere:
		return true
	}
	return false
}
