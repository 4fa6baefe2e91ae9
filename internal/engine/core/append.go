package core

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Append stores a batch. The first of an engine's life carries the records that
// introduce its keys, so that no record is ever stored whose author the store
// does not know. They come from a file, and are verified where they are new.
func (e *Core) Append(ctx context.Context, b store.Batch) error {
	e.Ring.Lock()
	pendingKeys := e.pendingKeys
	if e.Me != nil {
		b.By = e.Me.Principal
	}
	e.Ring.Unlock()
	b.Check = e.stillSigns
	with := len(pendingKeys) > 0 && len(b.Records) > 0
	if with {
		b.Records = append(pendingKeys[:len(pendingKeys):len(pendingKeys)], b.Records...)
		b.Check = func(r *memory.Record) error {
			if !slices.Contains(pendingKeys, r) {
				return e.stillSigns(r)
			}
			if err := Verify(r); err != nil {
				return fmt.Errorf("identity in %s: %w", e.C.KeyDir, err)
			}
			return nil
		}
	}
	if err := e.sessionEnded(ctx, b.Records); err != nil {
		return err
	}
	if _, err := e.Store.Append(ctx, b); err != nil {
		return Classify(err)
	}
	e.written(b.Records)
	if with { // or they wait for a batch that has a record
		e.Ring.Lock()
		e.pendingKeys = nil
		e.Ring.Unlock()
	}
	return nil
}

// mostWritten is how many of the records that were just written are remembered.
const mostWritten = 64

// written remembers what was just written.
func (e *Core) written(rs []*memory.Record) {
	e.Ring.Lock()
	defer e.Ring.Unlock()
	e.wrote = append(e.wrote, rs[max(len(rs)-mostWritten, 0):]...)
	e.wrote = slices.Clone(e.wrote[max(len(e.wrote)-mostWritten, 0):])
}

// JustWrote returns a record that was written here lately, nil if it was not.
func (e *Core) JustWrote(ref string) *memory.Record {
	e.Ring.Lock()
	defer e.Ring.Unlock()
	for _, r := range e.wrote {
		if r.Ref().String() == ref {
			return r
		}
	}
	return nil
}

// sessionEnded refuses what a session writes whose key may not act any more:
// no one would believe it.
func (e *Core) sessionEnded(ctx context.Context, rs []*memory.Record) error {
	if e.C.KeySession == "" {
		return nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	ring, err := e.WithOwn(ctx, me)
	if err != nil {
		return err
	}
	for _, r := range rs {
		if r.Header.Author != me.Agent.DID() {
			continue
		}
		if f := ring.Fault(r); f != state.Sound {
			return &Failure{
				Kind: api.ErrForbidden,
				Text: fmt.Sprintf(
					"the key of the session %s may not act: %s; nothing was stored",
					shorten.To(e.C.KeySession, 80), FaultWords(f),
				),
			}
		}
	}
	return nil
}

// stillSigns refuses a record that was signed here by a key which another process has
// replaced since: it would come after its key had ended, and count for no one. It is
// asked while no one else can write, and a rotation is in the directory of the keys
// before it is in a store. That holds for what is said of others' keys, too.
func (e *Core) stillSigns(r *memory.Record) error {
	e.Ring.Lock()
	me, had := e.Me, slices.Contains(e.had, r.Header.Author)
	changed, _ := e.keysChanged()
	e.Ring.Unlock()
	if !had {
		return nil
	}
	if changed || me == nil {
		var err error
		if me, err = e.OwnKeys(); err != nil {
			return err
		}
	}
	if r.Header.Kind == memory.KindKey && slices.ContainsFunc(
		me.KeyRecords, func(own *memory.Record) bool { return own.ID == r.ID },
	) {
		return nil // what the identity file says of the keys was put there in its order
	}
	if me.Owner != nil && me.Owner.DID() == r.Header.Author || me.Agent.DID() == r.Header.Author &&
		me.Delegation == r.Header.Delegation {
		return nil
	}
	return Conflict(
		"another process replaced the key that signed this: nothing was stored; try again",
	)
}
