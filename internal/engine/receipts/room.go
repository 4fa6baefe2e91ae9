// Package receipts notes what agents were given, and says it again: by conversation, by memory, by question. What a
// purge erases leaves it too.
package receipts

import (
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/journal"
)

// Journal is that part, for one caller.
type Journal struct {
	*core.Core
	*Noted

	trust *trust.Scores
}

// New returns it over what all callers share.
func New(n *Noted, t *trust.Scores) *Journal {
	j := &Journal{Core: t.Core, Noted: n, trust: t}
	t.Core.Placed = j.placed
	return j
}

// Quiet returns it for answers that leave no receipts.
func (e *Journal) Quiet() *Journal {
	c := *e.Core
	c.C.Receipts = ""
	return &Journal{Core: &c, Noted: e.Noted, trust: e.trust}
}

// Noted is what all callers share.
type Noted struct {
	Given receipts
	Swept swept
}

// receipts is the file of what agents were given. Each is written after its answer.
type receipts struct {
	File        *journal.File
	Before      *journal.File // what an earlier version kept next to the store; nil for nothing
	Store       string        // see Receipt.Store
	path        string        // see Receipt.Path
	nextToStore bool          // the file is next to the store: a receipt without a store is of this one

	sync.Mutex
	made  int
	last  chan struct{} // closed when all so far are kept; nil before the first
	begin func()        // what is done once, before what was given is looked at; nil is nothing
	timer *time.Timer   // that begins it at the latest
}

// swept is up to where this process has taken what was purged out of what it keeps around the store.
type swept struct {
	sync.Mutex
	mark string
	read bool   // mark is what the file says
	File string // in the data directory; "" remembers it in this process alone
}
