// Package views is the part of the engine for showing a memory: its view, its trace, its
// evidence, and the receipts of what was shown.
package views

import (
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Shared is what the voices of one opened store share.
type Shared struct {
	Scored *trust.Scored
	Noted  *Noted
}

// NewShared returns what the voices of a store that was just opened share.
func NewShared() *Shared { return &Shared{Scored: &trust.Scored{}, Noted: &Noted{}} }

// Views is that part, for one caller.
type Views struct {
	*core.Core
	*Noted
	Decider // nil says nothing

	trust *trust.Scores
}

// A Decider says what decisions and open links make of records, as of a time; zero is now. It is in a room above this
// one. Ratings that are known need not be made again.
type Decider interface {
	Decide(rd *trust.Reading, items []*store.Item, known Ratings, at memory.Time) (Decisions, error)
}

// New returns it over a store and what its callers share.
func New(s *Shared, t *trust.Scores) *Views {
	v := &Views{Core: t.Core, Noted: s.Noted, trust: t}
	t.Core.Placed = v.placed
	return v
}

// receipts are kept in a file of the person's, by a goroutine that nothing waits for
// before Close.
type receipts struct {
	File        *journal.File
	Before      *journal.File // what an earlier version kept next to the store; nil for nothing
	Store       string        // see Receipt.Store
	path        string        // see Receipt.Path
	nextToStore bool          // the file is next to the store: a receipt without a store is of this one

	sync.Mutex
	made   int
	last   chan struct{} // closed when all so far are kept; nil before the first
	begin  func()        // what is done once, before what was given is looked at; nil is nothing
	timer  *time.Timer   // that begins it at the latest
	failed error
}

// Noted is what the voices of one opened store share of what was given.
type Noted struct {
	Given receipts
	Swept swept
}

// swept is how far what others purged was taken out of the receipts.
type swept struct {
	sync.Mutex
	mark string
	read bool   // mark is what the file says
	File string // in the data directory; "" remembers it in this process alone
}
