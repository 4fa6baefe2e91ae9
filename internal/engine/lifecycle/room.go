// Package lifecycle is the part of the engine that captures words, makes memories of them, and
// compares, revises and decides on memories.
package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Lifecycle is that part, for one caller.
type Lifecycle struct {
	*core.Core

	receipts *receipts.Journal
	standing *standing.Standings
	trust    *trust.Scores
	views    *views.Views
	times    turnstile // of jobs

	// Wrote is told which records were written; nil is told nothing. It is set where the engine is put together.
	Wrote func(context.Context, []*memory.Record)
}

// tell says that records were written.
func (e *Lifecycle) tell(ctx context.Context, records []*memory.Record) {
	if e.Wrote != nil {
		e.Wrote(ctx, records)
	}
}

func recordsOf(items []*store.Item) []*memory.Record {
	out := make([]*memory.Record, len(items))
	for i, it := range items {
		out[i] = it.Record
	}
	return out
}

// New returns it over the rooms below.
func New(j *receipts.Journal, s *standing.Standings, t *trust.Scores, v *views.Views) *Lifecycle {
	return &Lifecycle{Core: t.Core, receipts: j, standing: s, trust: t, views: v}
}

// isPerson reports whether a person speaks through this engine.
func (e *Lifecycle) isPerson() bool { return e.C.Origin == memory.OriginOwner }

// A voice is who speaks in a record.
type voice struct {
	state.Voice
	Mine bool // this person or an agent of theirs
}

// voices returns what says who speaks in a record, by the keys that are known now.
func (e *Lifecycle) voices(ctx context.Context) (func(*memory.Record) voice, error) {
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	return func(r *memory.Record) voice {
		v := who.Voice(r)
		return voice{Voice: v, Mine: v.Principal == me.Principal}
	}, nil
}
