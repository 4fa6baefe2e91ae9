package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Writer returns the connection that writes, for one transaction.
type Writer interface {
	Begin(ctx context.Context) (*Session, error)
	Done(err error) error // the transaction is over; err is why it failed
	Close() error
}

// A SQLiteWriter is the one connection of this process that writes, opened
// when it is first needed.
type SQLiteWriter struct {
	Path string
	db   *sql.DB
	conn *sql.Conn
	on   *Session

	Patience time.Duration
	Lenient  bool // it opens a file of whose schema a part cannot be understood
}

// Begin returns the connection, and opens it first.
func (w *SQLiteWriter) Begin(ctx context.Context) (*Session, error) {
	if w.on != nil {
		return w.on, nil
	}
	settings := Lasting(w.Patience) + AlwaysSet + " " + WriterSet
	if w.Lenient {
		settings = AnySchema + Lasting(w.Patience) + AlwaysSet + " " + LenientSet
	}
	db, err := OpenFile(w.Path, DSN(w.Path, settings, "mode=rw"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w.db, w.conn, w.on = db, conn, New(SQLite, conn, true)
	return w.on, nil
}

// Done is nothing: the connection stays.
func (w *SQLiteWriter) Done(err error) error { return err }

// UseWAL makes the file one whose changes go to a log first.
func (w *SQLiteWriter) UseWAL(ctx context.Context) error {
	on, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	var mode string
	_, err = on.One(ctx, []any{&mode}, "PRAGMA journal_mode = WAL")
	if err == nil && mode != "wal" {
		err = fmt.Errorf("the journal is %q and cannot be a log", mode)
	}
	return err
}

// Close closes the connection.
func (w *SQLiteWriter) Close() error {
	if w.db == nil {
		return nil
	}
	err := errors.Join(w.on.Close(), w.conn.Close(), w.db.Close())
	w.db, w.conn, w.on = nil, nil, nil
	return err
}

// A PostgresWriter takes a connection of the pool for each transaction.
type PostgresWriter struct {
	Db     *sql.DB
	conn   *sql.Conn
	As     *Scope        // of a hub; nil for none
	Turns  chan struct{} // bounds those that write at once where several do; nil is no bound
	Spread bool          // see session
}

// Begin takes a connection of the pool.
func (w *PostgresWriter) Begin(ctx context.Context) (*Session, error) {
	if w.Turns != nil {
		select {
		case w.Turns <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	conn, err := w.Db.Conn(ctx)
	if err != nil {
		w.leave()
		return nil, err
	}
	w.conn = conn
	on := New(Postgres, conn, false)
	on.As, on.Spread = w.As, w.Spread
	return on, nil
}

// leave lets another write.
func (w *PostgresWriter) leave() {
	if w.Turns != nil {
		<-w.Turns
	}
}

// Done gives the connection back.
func (w *PostgresWriter) Done(err error) error {
	defer w.leave()
	if closed := w.conn.Close(); closed != nil && !errors.Is(closed, sql.ErrConnDone) {
		err = errors.Join(err, closed)
	}
	w.conn = nil
	return err
}

// Close is nothing: the pool is its owner's.
func (w *PostgresWriter) Close() error { return nil }
