// Package trust is the part of the engine for how far a memory can be relied on: witnesses, anchors, scores.
package trust

import (
	"context"
	"sync"

	"github.com/stemma-memory/stemma/internal/engine/core"
)

// Scores is that part, for one caller.
type Scores struct {
	*core.Core
	*Scored
}

// New returns it over a store and the scores that its callers share.
func New(c *core.Core, s *Scored) *Scores { return &Scores{Core: c, Scored: s} }

// A Reading is what one request reads of a store, and who has a say in it for this reader, once.
type Reading struct {
	*core.Reading
	scores *Scores

	mu  sync.Mutex
	who *Context
}

// Reading returns the reading of a request: the one that its context is, or else one that begins now.
func (e *Scores) Reading(ctx context.Context) *Reading {
	if of, ok := ctx.(*Reading); ok && of.scores.Core == e.Core {
		return of
	}
	return &Reading{Reading: e.Read(ctx), scores: e}
}

// Again returns a reading that begins now, for what wrote since this one began.
func (rd *Reading) Again() *Reading { return rd.scores.Reading(rd.Context) }

// TrustContext returns what scores rest on.
func (rd *Reading) TrustContext() (*Context, error) { return rd.context(true) }

// Voices returns who has a say: a context without the counts of what became of what each said, which scores want
// and which take the longer, the more is witnessed.
func (rd *Reading) Voices() (*Context, error) { return rd.context(false) }

func (rd *Reading) context(counted bool) (who *Context, err error) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	if rd.who == nil || counted && !rd.who.counted {
		who, err = rd.scores.contextNow(rd, counted)
		if err != nil {
			return nil, err
		}
		rd.who = who
	}
	return rd.who, nil
}
