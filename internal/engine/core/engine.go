// Package core is what every part of the engine builds on: the opened store, the keys that sign,
// refs, writes, and errors of six kinds.
package core

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Config says how an Engine behaves. The zero value works: keys next to the store, the space
// "main", the voice of an agent, no network.
type Config struct {
	KeyDir      string          // the person's keys, made on first use; "" is "keys" beside the store
	InMemory    bool            // without KeyDir the keys go with the process, as the store does
	Origin      memory.Origin   // the channel; "" is agent. Owner signs with the owner's key
	Space       string          // the space: a local name, a full space, or "*" to read all; "" is main
	Place       *Place          // Space follows from this place; nil means that a space was named, or is main
	Everywhere  bool            // agents may read all spaces too, where Place is set
	ReadSpaces  string          // what is read where no space was named: "team", "mine" or names; "" is team
	Agent       string          // display name of the agent that writes
	Platform    string          // where it runs
	Session     string          // the conversation that writes belong to
	Sessions    []string        // what else the conversation is called: what was shown under these names was shown in it
	Unnamed     bool            // its host did not name it: Session, if any, was made up
	Secrets     string          // what to do with secrets in what is written: redact, block or allow; "" is redact
	ReadOnly    bool            // never write, not even usage
	Dir         string          // where the user stands: code refs are read from its repository; "" is nowhere
	Root        string          // the root of refs where Dir is in no repository; "" is Dir
	Databases   store.Databases // opens stores that are not in memory; nil opens none
	SecondStore string          // a second store read together with the first; none if it is not there
	// the person's data directory, for files about all stores; "" keeps them in memory
	Data     string
	Claimed  bool   // Session comes from the caller: it can add marks, and removes none
	Notice   string // one line that packs begin with, such as that a store waits to be adopted
	Foreign  bool   // the store is not this person's: all that is in it is external
	Service  bool   // the keys are those of a service account: no person is at this machine
	Cache    string // directory for what can be computed again; "" keeps it in memory
	Receipts string // file in which answers to agents are noted, of all of the person's stores; "" notes none
	Earlier  string // file of those that an earlier version noted for this store alone, which is read too; "" is none
	Keep     int64  // bytes of it; 0 is 8 MiB
	// Private halves of keys that are not in plain files.
	Unlock        func(path string) ([]byte, error) // the passphrase of a locked key; nil for no prompt
	NewPassphrase func() ([]byte, error)            // for a key that follows a locked one
	// the recovery phrase that a rotation is signed with; nil is the old key
	Recovery       func() (string, error)
	AgentSocket    string         // of an ssh-agent that signs for the owner
	TimestampRoots *x509.CertPool // authorities trusted for timestamps; nil is the system's
	KeySession     string         // the name of a session in KeyDir whose key speaks for the agent
	Embedder       llm.Embedder   // makes vectors; nil is none, and words alone are searched
	Before         llm.Local      // made them before Embedder, and answers until that has caught up; nil is none
	LLM            llm.Generator  // drafts and compares; nil is none, and rules do
	Bounds         llm.Bounds     // around LLM; its tokens are counted in the store
	Seed           int64          // of questions to LLM, so that a run can be repeated; 0 is none
	// what a person is asked to decide: "default", "strict" or "project"; "" is default
	ReviewPolicy string
	Candidates   int           // memories that a new one is compared with; 0 is 5, at most 10
	Patience     time.Duration // how long SQLite waits for others that write; 0 is ten seconds
	// Purged receives the words that were purged, wherever the purge came from, so that the
	// caller can drop its own copies, such as waiting events.
	Purged func(words []string) error
	// Waiting drops what waits elsewhere to be stored and of which gone says so; nil is that nothing waits.
	Waiting func(gone func(text string) bool) error
	Remotes string           // the file with the person's remotes; "" has none
	Dial    peer.Dialer      // opens the peers behind the address of a remote; nil opens none
	Now     func() time.Time // the clock; several goroutines ask it at once
	Zone    *time.Location   // of the days that readings name; nil is UTC
	Rand    io.Reader        // source of nonces and keys; read by several goroutines
}

// Core is one opened store with the keys of one person, for one caller. It is safe for
// concurrent use.
type Core struct {
	*Common
	Store   store.Store // as this caller reads it
	C       Config
	NoSpace bool // no space was named: Config.ReadSpaces says what is read

	// Placed returns the ref at a place of what the last search gave this caller, and its question; "" where
	// that is not known. It is in a room above this one; nil knows nothing.
	Placed func(place int) (ref, query string)
}

// Common is what the voices that speak through one opened store share.
type Common struct {
	Ring        sync.Mutex // guards fields that are loaded on first use
	Me          *Self
	pendingKeys []*memory.Record // what introduces the keys, not yet known to be stored

	keysOf  time.Time        // when their directory was changed last, as they were loaded
	known   *Self            // the keys of one who only reads
	knownOf time.Time        // when their directory was changed last, as these were loaded
	wrote   []*memory.Record // the latest
	had     []string         // the keys that were loaded in this engine's life

	Questions Meant // that records are compared with

	used  touched
	trees trees
	Code  workTree
	LLM   *model.Bounded // nil is none
}

// Fill sets the defaults.
func (c *Config) Fill() {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Zone == nil {
		c.Zone = time.UTC
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Origin == "" {
		c.Origin = memory.OriginAgent
	}
	if c.Space == "" {
		c.Space = DefaultSpace
	}
	c.Secrets = Or(c.Secrets, SecretsRedact)
	c.ReviewPolicy = Or(c.ReviewPolicy, PolicyDefault)
}

// The policies of review: what a person is asked to decide.
const (
	PolicyDefault = "default" // what only works with their word, and what would replace it
	PolicyStrict  = "strict"  // everything that agents wrote
	PolicyProject = "project" // as default, and an agent's update of an agent's memory applies at once
)

// CheckPolicy returns an error for a policy of review that there is not.
func CheckPolicy(policy string) error {
	switch policy {
	case "", PolicyDefault, PolicyStrict, PolicyProject:
		return nil
	}
	return Invalid("review policy: must be default, strict or project, got %q", shorten.To(policy, 40))
}

// A Caller is somebody on whose behalf a face asks: through which channel, and
// what else follows from who it is.
type Caller struct {
	Origin   memory.Origin // "" is agent
	Agent    string        // display name of the agent that writes
	Platform string        // where it runs
	Session  string        // the conversation that writes belong to
	Sessions []string      // see Config
	Unnamed  bool          // see Config
	Space    string        // the space; "" is the engine's
	Place    *Place        // see Config; nil is that the caller named Space, if there is one
}

func CheckSpace(space string) error {
	if space == AllSpaces {
		return nil
	}
	_, name, full := strings.Cut(space, "/")
	if !full {
		name = space
	}
	return memory.CheckSpaceName(name)
}

// WriteSpace returns the space that writes go to.
func (e *Core) WriteSpace(owner string) (string, error) {
	switch {
	case e.C.Space == AllSpaces:
		return "", Invalid("a write needs one space: name it instead of %q", AllSpaces)
	case strings.Contains(e.C.Space, "/"):
		return e.C.Space, nil
	default:
		return owner + "/" + e.C.Space, nil
	}
}

// SpaceOfNew returns the space that a new record goes to. What is about the person is theirs in every project: what
// says so, and without a named space, what is of a kind that always is.
func (e *Core) SpaceOfNew(owner string, kind memory.Kind, about []string) (string, error) {
	its := slices.Contains(about, MeSpace)
	if e.C.Place != nil && e.NoSpace {
		its = its || kind == memory.KindValue || kind == memory.KindDrive || kind == memory.KindRelationship
	}
	if e.C.Space == AllSpaces { // what is said of another's record concerns only the person who says it
		its = its || kind != memory.KindKey && slices.Contains(memory.Claims(), kind)
	}
	if its {
		return owner + "/" + MeSpace, nil
	}
	return e.WriteSpace(owner)
}

// Meant keeps the vectors of questions in memory.
type Meant struct {
	sync.Mutex
	Model string
	Of    map[string][]float32
}

// touched gathers which records were read, to be written down later: usage is
// local and decides only what may be forgotten.
type touched struct {
	sync.Mutex
	ids  []memory.ID
	last time.Time // when the last of them was
}

// flushAfter is how many readings are kept before they are written down.
const flushAfter = 256

func (e *Core) Touch(ctx context.Context, ids ...memory.ID) {
	if len(ids) == 0 {
		return
	}
	e.used.Lock()
	e.used.ids, e.used.last = append(e.used.ids, ids...), e.C.Now()
	full := len(e.used.ids) >= flushAfter
	e.used.Unlock()
	if full {
		_ = e.FlushTouched(ctx) // kept for Close when it fails
	}
}

func (e *Core) FlushTouched(ctx context.Context) error {
	e.used.Lock()
	defer e.used.Unlock()
	if len(e.used.ids) == 0 || e.C.ReadOnly {
		return nil
	}
	err := e.Store.Touch(ctx, e.used.last, e.used.ids...)
	switch {
	case errors.Is(err, store.ErrFull):
		return &Failure{Kind: api.ErrUnavailable, Text: "record what was read", err: err}
	// nothing counts readings there, or the table of them is damaged, which doctor says
	case err != nil && !errors.Is(err, store.ErrReadOnly) && !errors.Is(err, store.ErrDamaged) &&
		!errors.Is(err, store.ErrMoved):
		return fmt.Errorf("record what was read: %w", Classify(err))
	}
	e.used.ids = nil
	return nil
}

// FileReplaced reports whether another file lies in the place of the store that is open, or of one of two.
func (e *Core) FileReplaced() bool {
	stores := []store.Store{store.Plain(e.Store)}
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		stores = two.Both()
	}
	for _, one := range stores {
		if file, ok := Inside(one).(store.Database); ok && file.FileReplaced() {
			return true
		}
	}
	return false
}

// OnlyWrote reports whether nothing was read of the store since it was opened, and something
// was written: to read takes a connection more.
func (e *Core) OnlyWrote() bool {
	s, ok := Inside(e.Store).(store.Database)
	return ok && s.OnlyWrote()
}

// Damaged says in one line that a table which is made of records is damaged, so that
// answers come from the records themselves; "" where nothing was met. A face says it once.
func (e *Core) Damaged() string {
	stores := []store.Store{store.Plain(e.Store)}
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		stores = two.Both()
	}
	for _, one := range stores {
		if s, ok := Inside(one).(store.Database); ok {
			if says := s.Damaged(); says != "" {
				return says
			}
		}
	}
	return ""
}

// First returns the store that is written to, without the second store.
func (e *Core) First() store.Store {
	s := store.Plain(e.Store)
	if two, ok := s.(*both.Store); ok {
		return two.Store
	}
	return s
}

// Inside returns a store without the door before it, for who looks for damage or
// copies all of it.
func Inside(s store.Store) store.Store {
	if d, ok := store.Plain(s).(*door.Store); ok {
		return d.Inside()
	}
	return store.Plain(s)
}
