package care

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
)

// StoreHeads is what a store is now: its name, who keeps it, and its logs.
type StoreHeads struct {
	Store  string      `json:"store"`            // the name that it was given when it was made
	Keeper string      `json:"keeper,omitempty"` // who alone has written to it; "*" is several
	Heads  []StoreHead `json:"heads"`
}

// StoreHead is the log of one space.
type StoreHead struct {
	Space string      `json:"space"`
	Size  int64       `json:"size"`
	Root  ledger.Hash `json:"-"`
	Hex   string      `json:"root"`
}

// Heads returns the current heads of the store, without those of the second store.
func (e *Care) Heads(ctx context.Context) (StoreHeads, error) {
	s := e.First()
	reply := StoreHeads{Heads: []StoreHead{}}
	var err error
	if reply.Store, err = s.StoreName(ctx); err != nil {
		return reply, core.Classify(err)
	}
	ring, err := s.Keyring(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Keeper = ring.Keeper()
	spaces, err := s.Spaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	for _, sp := range spaces {
		f, err := s.Tree(ctx, sp.Name)
		if err != nil {
			return reply, core.Classify(err)
		}
		reply.Heads = append(reply.Heads, headOf(sp.Name, f.Size(), f.Root()))
	}
	return reply, nil
}

func headOf(space string, size int64, root ledger.Hash) StoreHead {
	return StoreHead{Space: space, Size: size, Root: root, Hex: hex.EncodeToString(root[:])}
}

// A Stranger is a store of an unknown owner, read without changing it or any file next to it.
type Stranger struct {
	Store string // the name that it was given when it was made
	spec  string
	s     store.Database
}

// LookInto opens a store whose owner may be a stranger. Nothing in it is trusted. The error is
// fs.ErrNotExist if there is none.
func LookInto(ctx context.Context, in store.Databases, spec string) (*Stranger, error) {
	s, err := in.Peek(ctx, spec)
	if err != nil {
		return nil, keptError(err)
	}
	name, err := s.StoreName(ctx)
	if err != nil {
		return nil, keptError(errors.Join(err, s.Close()))
	}
	return &Stranger{Store: name, spec: spec, s: s}, nil
}

// keptError is sorted for an error that says that there is nothing.
func keptError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return core.Classify(err)
}

// Remember verifies the store as it is now, and remembers that in the data directory
// in place of what was remembered of it. The first reading does that, too: it then
// takes as long as verifying every record.
func (s *Stranger) Remember(ctx context.Context, data string) error {
	book, err := bookOf(s.spec, core.Config{Data: data})
	if err != nil {
		return nil // nothing can be remembered: readings say so
	}
	if err := book.Remove(); err != nil {
		return core.Classify(err)
	}
	_, err = door.Of(s.s, book, time.Now).WhyUntrusted(ctx)
	return core.Classify(err)
}

// Close ends the look.
func (s *Stranger) Close() error { return s.s.Close() }

// RootAt computes the root of a log when it held size records, from its ids. It
// fails where the log is shorter.
func (s *Stranger) RootAt(ctx context.Context, space string, size int64) (ledger.Hash, error) {
	root, err := s.s.RootAt(ctx, space, size)
	return root, core.Classify(err)
}

// FirstCame says when the first record came into the store, as it says itself; zero
// is long ago.
func (s *Stranger) FirstCame(ctx context.Context) (time.Time, error) {
	at, err := s.s.FirstCame(ctx)
	return at, core.Classify(err)
}

// StrangerReply is what a look into a store found.
type StrangerReply struct {
	StoreHeads
	Records int            `json:"records"`
	First   string         `json:"first,omitempty"` // when the first record came
	Owners  []Owning       `json:"owners"`          // who speaks in it
	You     string         `json:"you,omitempty"`   // whose keys are here
	Yours   bool           `json:"yours"`           // all is signed, and by you or for you
	Odd     []string       `json:"odd,omitempty"`   // what the file runs by itself, and no version of stemma put there
	Audit   api.AuditReply `json:"audit"`
}

// Owning is one who speaks in a store, with their agents.
type Owning struct {
	DID         string `json:"did"`
	Fingerprint string `json:"fingerprint"`
	Records     int    `json:"records"`
	You         bool   `json:"you,omitempty"`
}

// Look audits the store, and says whose it is by its signatures. Config says where
// the keys are, and the clock.
func (s *Stranger) Look(ctx context.Context, c core.Config) (StrangerReply, error) {
	c.Fill()
	c.ReadOnly = true
	e := bare(&core.Core{Common: &core.Common{}, Store: s.s, C: c})
	var reply StrangerReply
	var err error
	if reply.StoreHeads, err = s.Heads(ctx); err != nil {
		return reply, err
	}
	if reply.Odd, err = s.s.Odd(ctx); err != nil {
		return reply, core.Classify(err)
	}
	if at, err := s.FirstCame(ctx); err == nil && !at.IsZero() {
		reply.First = at.UTC().Format(time.RFC3339)
	}
	if reply.Audit, err = e.Audit(ctx, api.AuditRequest{}); err != nil {
		return reply, err
	}
	reply.Records = reply.Audit.Statements
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reply, err
	}
	if me != nil {
		reply.You = me.Principal
	}
	reply.Owners = []Owning{}
	others := 0
	for _, r := range reply.Audit.Roots {
		if r.DID != reply.You {
			others++
		}
		reply.Owners = append(reply.Owners, Owning{r.DID, r.Fingerprint, r.Statements, r.DID == reply.You && reply.You != ""})
	}
	reply.Yours = reply.You != "" && others == 0 && len(reply.Owners) > 0 && reply.Sound()
	return reply, nil
}

// Empty reports whether there is nothing in the store that anybody could have put there.
func (r StrangerReply) Empty() bool { return len(r.Odd) == 0 && r.Audit.Statements == 0 }

// Sound reports whether every record is signed by the author that it names, every log fits its
// checkpoints, and the file runs only the triggers that stemma wrote.
func (r StrangerReply) Sound() bool {
	if len(r.Odd) > 0 || r.Audit.Statements == 0 {
		return false
	}
	for status, n := range r.Audit.Counts {
		if n > 0 && !status.Fine() && status != report.MissingParent { // a raw may have stayed where it was written
			return false
		}
	}
	for _, l := range r.Audit.Logs {
		if l.Status != report.LogOK && l.Status != report.LogUnchecked {
			return false
		}
	}
	return true
}

// Heads says what the store is now, computed from the ids of its records.
func (s *Stranger) Heads(ctx context.Context) (StoreHeads, error) {
	reply := StoreHeads{Store: s.Store, Heads: []StoreHead{}}
	ring, err := s.s.Keyring(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Keeper = ring.Keeper()
	var spaces []store.Space
	if spaces, err = s.s.Spaces(ctx); err != nil {
		return reply, core.Classify(err)
	}
	for _, sp := range spaces {
		root, err := s.s.RootAt(ctx, sp.Name, int64(sp.Last))
		if err != nil {
			return reply, core.Classify(err)
		}
		reply.Heads = append(reply.Heads, headOf(sp.Name, int64(sp.Last), root))
	}
	return reply, nil
}
