package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A Store is a store.Store in a database. Any number of processes may have the
// same one open.
type Store struct {
	d      *session.Dialect
	name   string // for errors: a path, or an address without its password
	now    func() time.Time
	names  *lists.Names
	heads  heads
	aged   atomic.Pointer[segment] // one of an older version that a search has met
	terms  terms
	cache  string
	copies nearest.Copies // of vectors
	rand   io.Reader
	ring   ring

	tallies tallies
	unread  unread // words that are in no segment yet
	moments moments

	patience time.Duration // of SQLite with others that write
	like     string        // see Options.Like
	key      *atrest.Key   // of an encrypted file; nil for others

	readers  *sql.DB
	read     *session.Session
	writing  chan struct{} // holds a token while nobody in this process writes
	write    session.Writer
	within   *session.Session // of a trial, the transaction that all of it happens in
	readOnly bool
	shared   bool  // it is a hub's
	spread   bool  // the hub's tables are on several nodes
	shard    *int  // of a hub with several, the one that is seen
	conns    int   // to a server, at most
	broken   error // why this Store no longer writes; guarded by the token

	opened fs.FileInfo // the file of SQLite that is open; nil before it is

	mute    mute     // claims from which no state follows
	filling filling  // which tables should have rows
	instead fallback // read in its place while it is damaged

	retries *atomic.Int64 // transactions that were tried again; the views of a hub share it

	after func() error // runs when all is closed; nil is nothing
}

// A read that meets a damaged derived row continues in a fallback: a copy, in its own
// directory, in which everything derived from records was derived again. The first such
// read is slower, and the answers are those that the store gave before the damage. The
// fallback is made again after the store changes and removed when the store closes. A
// store with damaged signed bytes has none: 'stemma recover' saves what is left of it.
type fallback struct {
	mu     sync.Mutex
	of     *Store
	dir    string
	at     string // what the store was like when it was made
	none   string // what it was like when none could be made
	notice string
}

// Close closes the connections. What Append stored needs no Close.
func (s *Store) Close() error {
	err := errors.Join(s.copies.Close(), s.dropFallback())
	s.moments.close()
	if s.read != nil {
		err = errors.Join(err, s.read.Close())
	}
	if s.readers != nil {
		err = errors.Join(err, s.readers.Close())
	}
	if s.write != nil {
		<-s.writing // waits until the current writer ends
		// last, so that SQLite, where no one else has the file open, brings
		// the log home: a copy of the file alone is then a whole store
		err = errors.Join(err, s.write.Close())
		s.write = nil
		s.broken = errors.New("the store was closed")
		s.writing <- struct{}{}
	}
	if s.after != nil {
		err = errors.Join(err, s.after())
		s.after = nil
	}
	return err
}

// OnlyWrote reports whether this Store wrote to a file and never read it.
func (s *Store) OnlyWrote() bool {
	return s.d == session.SQLite && s.moments.writes.Load() > 0 && s.readers != nil &&
		s.readers.Stats().OpenConnections == 0
}

// dropFallback closes the fallback and removes its files.
func (s *Store) dropFallback() error {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	s.instead.notice, s.instead.none = "", ""
	return s.instead.close()
}

func (in *fallback) close() error {
	var err error
	if in.of != nil {
		err = in.of.Close()
	}
	if in.dir != "" {
		err = errors.Join(err, os.RemoveAll(in.dir))
	}
	in.of, in.dir, in.at = nil, "", ""
	return err
}

// mostTries is how often a transaction is tried that others keep coming
// between.
const mostTries = 50

// Change runs do in a transaction that writes. A cancelled ctx changes
// nothing; once it commits it is not cancelled any more.
func (s *Store) Change(
	ctx context.Context, doing string, do func(ctx context.Context, w *session.Session) error,
) error {
	if s.readOnly {
		return fmt.Errorf("%s %s: %w", doing, s.name, store.ErrReadOnly)
	}
	select {
	case <-s.writing:
		defer func() { s.writing <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.within != nil {
		s.names.Start()
		err := do(ctx, s.within)
		if err == nil {
			s.names.Keep()
		}
		s.moments.writes.Add(1)
		return s.Failed(doing, err)
	}
	for try := 1; ; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.broken != nil {
			return fmt.Errorf("%s %s: %w", doing, s.name, s.broken)
		}
		err := s.attempt(ctx, do)
		s.moments.writes.Add(1)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case s.again(err) && try < mostTries:
			if s.retries != nil {
				s.retries.Add(1)
			}
			if err := pause(ctx, try); err != nil {
				return err
			}
			continue
		case session.SyncFailed(err):
			s.broken = err
		}
		return s.Failed(doing, err)
	}
}

// attempt is one try of a transaction.
func (s *Store) attempt(ctx context.Context, do func(ctx context.Context, w *session.Session) error) (err error) {
	if err := s.here(); err != nil {
		return err
	}
	w, err := s.write.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = s.write.Done(err) }()
	whole := context.WithoutCancel(ctx) // an interrupted statement proves nothing
	if err = w.Exec(ctx, s.d.Begin); err != nil {
		if w.Keep { // it may have begun all the same when it was cut off
			_ = w.Exec(whole, "ROLLBACK")
		}
		return err
	}
	s.names.Start()
	if err = do(whole, w); err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = s.here()
	}
	if err == nil {
		if err = w.Exec(whole, "COMMIT"); err != nil && (session.GoneAway(err) || session.NodeFailed(err)) {
			err = &unsure{err}
		}
	}
	if err != nil {
		_ = w.Exec(whole, "ROLLBACK") // some errors have ended it already
		return err
	}
	s.names.Keep()
	return s.here() // what went into a file that is gone by now is not said to be kept
}

// here reports why the file that is open must not be written; on a server there is none.
func (s *Store) here() error {
	if s.d != session.SQLite || s.opened == nil {
		return nil
	}
	return session.Here(s.name, s.opened)
}

// FileReplaced reports whether another file lies in the place of the one that is open.
func (s *Store) FileReplaced() bool {
	if s.d != session.SQLite || s.opened == nil {
		return false
	}
	info, err := os.Stat(s.name)
	return err == nil && !os.SameFile(info, s.opened)
}

// An unsure is an error of a commit of which no one heard whether it was done.
type unsure struct{ err error }

func (u *unsure) Error() string { return "it is not known whether it was done: " + u.err.Error() }

func (u *unsure) Unwrap() error { return u.err }

// again reports whether the whole of a transaction should be tried again: where
// another came between and, of a hub, where the connection was lost before the
// commit. After that only the caller knows whether a second time does harm.
func (s *Store) again(err error) bool {
	if _, is := errors.AsType[*unsure](err); is {
		return false
	}
	return s.d.Retry(err) || s.shared && session.GoneAway(err)
}

// pause waits a little longer after each try.
func pause(ctx context.Context, try int) error {
	const step, most = time.Millisecond, 50 * time.Millisecond
	t := time.NewTimer(min(time.Duration(try)*step, most))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Failed says what failed and on which store, with the sentinel a caller can
// match and the cause last.
func (s *Store) Failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	if s.shard != nil {
		return &store.InShard{No: *s.shard, Err: s.explained(doing, err)}
	}
	return s.explained(doing, err)
}

func (s *Store) explained(doing string, err error) error {
	if errors.Is(err, store.ErrDerived) {
		return fmt.Errorf("%s %s: %w; `doctor repair=true` rebuilds it", doing, s.name, err)
	}
	if kind := s.d.Explain(err); kind == store.ErrDamaged && s.d == session.SQLite {
		return fmt.Errorf(
			"%s %s: %w: %w; try `doctor repair=true`, then `recover_file %s`", doing, s.name, kind, err,
			s.name,
		)
	} else if kind != nil {
		return fmt.Errorf("%s %s: %w: %w", doing, s.name, kind, err)
	}
	return fmt.Errorf("%s %s: %w", doing, s.name, err)
}
