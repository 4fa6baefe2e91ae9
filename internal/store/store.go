// Package store says what a place for records must do, and holds the part of
// doing it that is the same everywhere: which states a new record changes. It
// knows no SQL, no ranking and no policy.
package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// The errors that every implementation returns, matched with errors.Is.
var (
	// ErrConflict says that what a Batch expected is no longer so.
	ErrConflict = errors.New("it was changed at the same time")
	// ErrNewer says that the store was written by a newer version.
	ErrNewer = errors.New("the store was made by a newer version of stemma")
	// ErrOlder says that the store was made before the first release.
	ErrOlder = errors.New("the store was made before version 0.1.0 of stemma")
	// ErrReadOnly says that the store cannot be written.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrMoved says that the file that was opened is not where it was.
	ErrMoved = errors.New("the store is gone")
	// ErrFull says that there is no room left; nothing was changed.
	ErrFull = errors.New("the disk is full")
	// ErrDamaged says that stored bytes are not what they were.
	ErrDamaged = errors.New("the store is damaged")
	// ErrDerived says that derived data is damaged, which can be derived again.
	ErrDerived = errors.New("derived data is damaged")
	// ErrBusy says that another process held the store for too long.
	ErrBusy = errors.New("the store is busy")
	// ErrGone says that the database could not be reached, or went away.
	ErrGone = errors.New("the database cannot be reached")
)

// A Seq is a position in the log of one space, from 1, without gaps.
type Seq int64

// An Item is a record as a store returns it.
type Item struct {
	Ref    memory.Ref
	Record *memory.Record // nil when its bytes were purged
	State  state.State
	Seq    Seq
	Came   time.Time   // when it came here, by this store's clock; zero is long ago
	Store  string      // which of two stores that are read together; "" is the only one
	Doubt  Doubt       // why it may not be lifted; "" is verified
	Tier   *state.Tier // for the reader of this store; nil if not asked for
}

// A Doubt says why a record may not be lifted above what its author says, or why it
// is no record at all.
type Doubt string

// The doubts. A store itself has none: see package door.
const (
	Forged   Doubt = "forged"   // its signature does not hold
	Withheld Doubt = "withheld" // something that was said of it, or a part of its log, is missing
)

// A Batch is what Append adds, all or none. One sent a second time adds nothing
// and is not in conflict with itself: where no record is new, nothing is asked.
type Batch struct {
	Records []*memory.Record
	// Expect names records that must not have been superseded yet by somebody
	// who may (see Superseded).
	Expect []memory.ID
	// Absent names derivations that must not have been made yet.
	Absent []Derivation
	// Unsaid names what must not have been said since somebody looked.
	Unsaid []Saying
	// NewAliases asks that no new record's alias be taken in its space.
	NewAliases bool
	// Check is asked of each record that is new, before any is stored; nil asks
	// nothing. Its error ends the Append.
	Check func(*memory.Record) error
	// By is the principal who writes, "" for a carrier of others' records. A store with one
	// writer belongs to that person: see state.Voices.
	By string
	// Purge names held records whose bytes, signatures, words and vectors go for
	// good, with this batch, even one sent a second time. A mark in it, or held, must
	// say so of each; otherwise the store itself refuses, as it does for marks and
	// keys (see MayGo). What they said of others is said no more (see Unsay).
	Purge []memory.ID
	// Obey carries out what the batch says: of records that a new mark in it purges, by
	// one who may, and of new ones that a held mark purges, all goes as with Purge.
	Obey bool
	// Gone is called with the records that were purged with this batch, as they were, once it
	// is stored, so that data derived from their words elsewhere can be removed too. Nil is
	// not called.
	Gone func([]*memory.Record)
	// Jobs are kept with the records, those whose keys are not there yet. One may have a holder,
	// who works on it from the start.
	Jobs []Job
	// Finished is the job that produced this batch, or nil. It is checked for every batch with
	// a new record or with none at all.
	Finished *Finished
}

// A Saying is what records of one kind say in a space, from behind a place in its log.
type Saying struct {
	Space string
	Kind  memory.Kind
	After Seq
	Is    func(*memory.Record) bool // it is asked in the course of Append, and reads no store
}

// ContextUndo is the context of what an undo wrote.
const ContextUndo = "undo"

// Restores returns the memory that a revision of an undo says again: it takes the place of another one, and is of what
// that one had replaced, not of it.
func Restores(r *memory.Record) (memory.ID, bool) {
	p := &r.Header.Provenance
	if p.Context != ContextUndo || p.Via != memory.ViaRevision || len(p.From) != 2 || len(p.Supersedes) != 1 ||
		p.Supersedes[0] != p.From[0] {
		return memory.ID{}, false
	}
	return p.From[1].ID, true
}

// A Derivation is a step from one record to a kind of memory: a raw promoted
// to an episode.
type Derivation struct {
	From memory.ID
	Kind memory.Kind
	Via  memory.Via
}

// A Query selects the records that List returns. Its zero value selects every live memory, the
// newest first.
type Query struct {
	Kinds   []memory.Kind // none is all memories
	Spaces  []string      // none is all
	Author  string        // a key; "" is any
	Authors []string      // some keys, any of them; none is any
	Session string        // "" is any
	Mark    string        // of package index: a type, a tag, naming code; "" is any
	Has     [][]string    // terms and marks of package index: one at least of each group; none is any
	Hidden  bool          // superseded, rejected, forgotten and quarantined ones too
	Unused  bool          // only those of which nothing current was made, see Stats.Processed
	Open    bool          // only those that nobody marked as done
	Done    bool          // only those that somebody marked as done
	Untied  string        // a verb: only records that no short mark of it, by any of Authors, ties to one that is shown
	Decided bool          // only those that a person approved, as the store derives it; they are found by an index
	Oldest  bool          // the oldest first
	Limit   int           // 0 is all
	Few     int           // so many will be taken, most likely: the first are read together; 0 is not known

	// What a list may leave out, where a store can tell without reading the record; who asks looks
	// at what comes all the same.
	Here     bool      // records of which neither a person nor an agent is the origin: imports, what tools printed
	Named    bool      // records that are about nobody
	Replaces bool      // memories that replace none
	Tied     bool      // records that were derived from none that is held, and from which none was derived
	Says     string    // records that do not have this text in their bytes
	But      []string  // records that have one of these members in their bytes, such as "verb":"said_in"
	After    time.Time // records that are dated this moment or before; zero is none
	// Below, in thousandths, is for records that are sure of what they say, as most are: those of
	// this confidence or more of which nothing was said.
	Below int
}

// A Match says what Store.Match looks for.
type Match struct {
	Terms  []string      // of package words; any of them
	Prefer string        // of package index: records with this mark are worth more; "" is none
	Has    [][]string    // of package index: hits have one mark at least of each group; none is any. It changes no score
	Least  int           // how many of them a hit has itself; 0 asks for none
	Spaces []string      // none is all
	Kinds  []memory.Kind // none is all memories
	Hidden bool
	Passed bool // of what is not shown, hits that rank among the shown are given too; they do not count for Limit
	// Decided gives only hits that a person approved, as with Query. Each has the score and the order that it has
	// among all, and Limit counts those given, however many others match better.
	Decided bool
	Limit   int // 0 is all
}

// A Hit is a record found, with a score above 0; more is better. Of words, the
// score is in parts of what all terms of the query are worth in the store, so
// that those of two stores compare, and is the sum of what follows.
type Hit struct {
	ID         memory.ID
	Score      float64
	Own        float64     // for its own words
	Propagated float64     // from its neighbours in the session
	Session    float64     // by the best of its session
	Held       float64     // the share of what is asked for that it has itself, by how rare the words are
	Terms      []string    // those of the query it has itself
	Kind       memory.Kind // "" where it is not known without reading the record
	Past       index.Past  // what is known of it without reading it
	Hidden     bool        // it is not shown
	Passage    int         // of its passages, from 0 on, the one that is nearest
}

// Near says what Store.Nearest looks for.
type Near struct {
	Model  string        // whose vectors
	Vec    []float32     // of unit length
	Spaces []string      // none is all
	Kinds  []memory.Kind // none is all memories
	Hidden bool
	Limit  int // at least 1
}

// A Change is one entry of a space's log.
type Change struct {
	Seq Seq
	ID  memory.ID
}

// Listed is an entry of a space's log, without its record.
type Listed struct {
	Seq  Seq
	Ref  memory.Ref
	Gone bool // it was purged
}

// Kept is a record as it is on disk.
type Kept struct {
	Seq   Seq
	Ref   memory.Ref // under which it is kept
	Came  time.Time
	Bytes []byte // nil where it was purged
	Sigs  []memory.Signature
}

// A Space is one log of a store.
type Space struct {
	Name string
	Last Seq // the last position, and so the number of records
}

// EmbedCursor begins the names of the cursors of who makes vectors: where vectors are
// lost, a store forgets them.
const EmbedCursor = "embed "

// A Vector is what an embedder made of a record.
type Vector struct {
	ID  memory.ID
	Vec []float32
}

// Usage is how often a record was read here. It is local and never synced.
type Usage struct {
	Times int
	Last  time.Time
}

// Stats are the sizes of a store.
type Stats struct {
	Records   int                 // of all kinds
	ByKind    map[memory.Kind]int // of each kind, hidden ones too
	Live      map[memory.Kind]int // memories shown by default
	Edges     int                 // arrows, the dangling ones too
	Dangling  int                 // arrows to records that are not held
	Purged    int                 // records without their bytes
	Bytes     int64               // on disk; 0 where that makes no sense
	Processed int                 // raws of which a memory was made that is current, or has a current revision
}

// A Store keeps records. Records never change, so there is one way to write
// (Append) and readers need no transactions. Implementations are safe for
// concurrent use by many goroutines and many processes.
type Store interface {
	// Append adds the batch's records that are not there yet, all or none, in
	// their order, and brings the State of every record they speak of up to
	// date. It returns how many were new. When it returns nil the records
	// survive a crash of the machine. It fails with ErrConflict if what the
	// batch expects is not so. The records may cite ones that are not held.
	Append(ctx context.Context, b Batch) (added int, err error)

	// Get returns items in the order of ids; an absent one is nil.
	Get(ctx context.Context, ids ...memory.ID) ([]*Item, error)

	// Resolve returns the records whose id begins with the hex digits of prefix,
	// at most limit of them; kind "" is any.
	Resolve(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error)

	// Aliased returns the records of a space by the ids they had elsewhere.
	// Aliases no one has are absent from the result; of several records with
	// one, the first in the log is given.
	Aliased(ctx context.Context, space string, aliases ...string) (map[string]memory.ID, error)

	// List returns the records that q selects. The order of the log stands for time.
	List(ctx context.Context, q Query) iter.Seq2[*Item, error]

	// Edges returns the edges that leave (Back) or reach (Forward) any of ids:
	// one hop. Forward edges come in log order, Back edges in the order their
	// record names them. Edges to records that are not held are among them; a
	// ref that names another kind than the record's draws none (see Draws).
	Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error)

	// Match finds records by their words, best first, of equals the newest.
	Match(ctx context.Context, m Match) ([]Hit, error)

	// Vectors returns every vector kept for a model; PutVectors keeps some.
	Vectors(ctx context.Context, model string) iter.Seq2[Vector, error]
	PutVectors(ctx context.Context, model string, vs ...Vector) error

	// Nearest finds the records with the vectors nearest to one, best first; the score is the
	// cosine. Vectors of another length are skipped. The first Limit are exact, up to the
	// resolution of int8 codes.
	Nearest(ctx context.Context, n Near) ([]Hit, error)

	// Touch counts one access of each record held; Used returns the counts, in the order of
	// ids. Neither is synced, and neither changes what a read returns.
	Touch(ctx context.Context, at time.Time, ids ...memory.ID) error
	Used(ctx context.Context, ids ...memory.ID) ([]Usage, error)

	// Since returns the log of a space after a position, in order.
	Since(ctx context.Context, space string, after Seq, limit int) ([]Change, error)

	// Listed returns the entries of a space's log after a position, in order, and reads no
	// record.
	Listed(ctx context.Context, space string, after Seq, limit int) ([]Listed, error)

	// Kept returns the log of a space after a position as it is on disk, read into by
	// no one: for those who look for damage.
	Kept(ctx context.Context, space string, after Seq, limit int) ([]Kept, error)
	// Spaces lists the logs of the store, in the order they began.
	Spaces(ctx context.Context) ([]Space, error)
	// Tree returns the tree over the log of a space: RFC 6962 over the ids in order.
	// It is kept with the records, in the transaction that adds them.
	Tree(ctx context.Context, space string) (ledger.Frontier, error)
	// Hold stores a checkpoint and its holder, once; Held returns those of a space, the oldest
	// first.
	Hold(ctx context.Context, c Checkpoint) error
	Held(ctx context.Context, space string) ([]Checkpoint, error)
	// Keyring returns the keyring that follows from the key records held and the
	// places of records in the log. It is for the caller alone.
	Keyring(ctx context.Context) (*state.Keyring, error)
	// StoreName is a random name the store was given when it was made.
	StoreName(ctx context.Context) (string, error)

	// Cursor remembers how far a named reader has come; 0 at first.
	Cursor(ctx context.Context, name string) (Seq, error)
	SetCursor(ctx context.Context, name string, s Seq) error

	// Note returns the text that a program stored under a name, nil if there is none; it is
	// local and never synced. SwapNote replaces it if it is still old, and fails with
	// ErrConflict otherwise; nil and empty both mean none.
	Note(ctx context.Context, name string) ([]byte, error)
	SwapNote(ctx context.Context, name string, old, now []byte) error
	// NoteNames returns the names that begin with a word and under which something is
	// kept, in order.
	NoteNames(ctx context.Context, begin string) ([]string, error)

	// Jobs returns background work. Take gives the oldest job that is due and free to one
	// holder until a time; a holder who has it already gets more time. It returns nil if there
	// is none. PutBack ends a try; for a job that somebody else has by now it does nothing.
	// ForgetJobs deletes jobs that ended before a time.
	Jobs(ctx context.Context, q JobQuery) ([]Job, error)
	TakeJob(ctx context.Context, t Take) (*Job, error)
	PutBack(ctx context.Context, p PutBack) error
	ForgetJobs(ctx context.Context, before time.Time) (int, error)

	// Count adds to counters of a day (2026-11-21), Counts returns their sums since a day.
	// They are local and never synced.
	Count(ctx context.Context, day string, add map[string]int64) error
	Counts(ctx context.Context, since string) (map[string]int64, error)

	// Stats counts the records.
	Stats(ctx context.Context) (Stats, error)

	// Check looks for damage: bytes that do not match their id, rows that are inconsistent. It
	// yields one error for each, and nothing for a healthy store.
	Check(ctx context.Context) iter.Seq[error]

	Close() error
}
