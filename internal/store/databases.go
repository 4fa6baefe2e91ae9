package store

import (
	"context"
	"io"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// Options say how a store is opened. The zero value reads and writes by the
// clock of the machine.
type Options struct {
	Now      func() time.Time
	ReadOnly bool

	// Cache is a directory for data that can be derived again from the store. "" is next to
	// the database if that is a file; otherwise the data stays in memory.
	Cache string
	Like  string    // a store's file: one that is made is encrypted as that is; "" is not
	Rand  io.Reader // for random numbers that distinguish a database from its own backup

	// Patience is how long SQLite waits for others that write; 0 is ten seconds.
	Patience time.Duration
}

// Databases opens stores in databases, and copies, moves and reads their files. Programs hand it to the
// engine: so no database is built where only the engine changes, and no engine where only a database does.
type Databases interface {
	// Open opens the store that spec names, and creates it if it does not exist: "sqlite:PATH" or
	// a bare path, or "postgres://…", where search_path names the schema. For a store of a newer
	// version it returns ErrNewer.
	Open(ctx context.Context, spec string, o Options) (Database, error)
	// Peek opens a store that may be a stranger's, for reading alone. It creates no file next to
	// it, and trusts nothing in its schema. It returns fs.ErrNotExist if there is no store.
	Peek(ctx context.Context, spec string) (Database, error)
	// Copy writes a store's file, as of one moment, into another, which is empty or does not
	// exist. Others may read and write it meanwhile. The copy is on disk when it returns nil.
	Copy(ctx context.Context, from, to string) error
	// Install makes a copy that no one has open the store at a path where none is.
	Install(ctx context.Context, made, path string) error
	// MoveAside returns the store at a path another name, and calls then before anybody else can
	// open what comes in its place. It fails with ErrBusy while others have the store open.
	MoveAside(ctx context.Context, path, aside string, then func() error) error
	// Salvage reads the undamaged part of a file. It changes nothing.
	Salvage(ctx context.Context, path string) (*Salvage, error)
}

// A Database is a store in a database, with what only such a one is asked.
type Database interface {
	Store
	// Path returns the file of the store, "" if it is not a file.
	Path() string
	// FileReplaced reports whether another file lies in the place of the one that is open.
	FileReplaced() bool
	// OnlyWrote reports whether this Store wrote to a file and never read it.
	OnlyWrote() bool
	// Damaged says in one line what keeps readings from being as quick as they are, "" where
	// nothing was met.
	Damaged() string
	// Odd names what a store's file runs by itself, and no version of stemma put there.
	Odd(ctx context.Context) ([]string, error)
	// FirstCame says when the first record came into the store, as it says itself; zero is long ago.
	FirstCame(ctx context.Context) (time.Time, error)
	// RootAt computes the root of a log when it held size records, from its ids.
	RootAt(ctx context.Context, space string, size int64) (ledger.Hash, error)
	// Whole reads the logs, the bytes of every record and the trees. It returns an error for the first
	// that is not what its id or the tree says.
	Whole(ctx context.Context, progress func(done int)) error
	// Repair makes all that is made of records again. Signed bytes and signatures are only read.
	Repair(ctx context.Context, progress Progress) (Repaired, error)
	// Compact writes a store's file afresh: SQLite zeroes what is deleted, and leaves copies of what it moved from
	// page to page in their slack. Elsewhere it does nothing.
	Compact(ctx context.Context) error
	// Sift hands all that the store holds to do, whatever it means: each text of each table, and of a file its bytes,
	// part by part. A text or a file ends with last. What is handed over may not be kept.
	Sift(ctx context.Context, do func(place string, text []byte, last bool) error) error
}

// Repaired says what Repair made again and what it could not.
type Repaired struct {
	Records int      // read
	Columns int      // rows of the log in which a column was corrected
	Edges   int      // written, dangling ones too
	States  int      // written
	Left    []string // lost, or left unchanged
}

// Progress receives the current step of a long task and how far it is; a total of 0 is
// unknown.
type Progress func(what string, done, total int)

// A Salvage is the undamaged part of a damaged SQLite file. It is read page by page, without
// SQLite: header, schema and page order may be damaged, since a record proves itself.
type Salvage struct {
	Records []*memory.Record // in the order in which they came, as far as that is known
	Lost    []Lost
}

// Lost is a record that was in the log, and is not whole.
type Lost struct {
	Space string    // "" where no record of its space is whole
	Seq   int64     // its place in the log
	ID    memory.ID // zero where the log does not say it
	Why   string
}

// itselfKey marks a context in which the database itself must be read.
type itselfKey struct{}

// Itself returns a context in which the database itself is read and never what a damaged one is read
// through instead, nor what is remembered. A search for damage needs it.
func Itself(ctx context.Context) context.Context { return context.WithValue(ctx, itselfKey{}, true) }

// IsItself reports whether a context is one of Itself.
func IsItself(ctx context.Context) bool { return ctx.Value(itselfKey{}) != nil }
