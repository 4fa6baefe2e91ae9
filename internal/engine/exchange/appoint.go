package exchange

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// AppointKeeper signs, as the owner of a space, that a person decides there as its owner does. Whoever
// reads the space receives it and judges by it. It returns the refs of what was signed, none
// where it was so already.
func (e *Exchange) AppointKeeper(ctx context.Context, space, account string) ([]string, error) {
	return e.appoint(ctx, space, account, true)
}

// DismissKeeper takes an appointment back. What the person decided holds as far as it is here: the
// dismissal names it.
func (e *Exchange) DismissKeeper(ctx context.Context, space, account string) ([]string, error) {
	return e.appoint(ctx, space, account, false)
}

func (e *Exchange) appoint(ctx context.Context, space, account string, keeper bool) ([]string, error) {
	if err := e.OwnerOnly("appoint a keeper of a space"); err != nil {
		return nil, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	whom := ring.Principal(account)
	if owner, _ := ring.Owner(space); owner != me.Principal || whom == me.Principal {
		return nil, nil // a keeper gives another the role at the hub; who decides for all, the owner signs
	}
	var at memory.Time // zero is now
	sign := func(k *memory.Key) (*memory.Record, error) {
		h := core.KeyHeader("appoint")
		h.Space, h.At = space, at
		return e.Sign(h, k)
	}
	var records []*memory.Record
	switch {
	case keeper && !ring.Keeps(whom, space):
		r, err := sign(&memory.Key{Op: memory.OpIntroduce, Key: account, Name: state.AppointmentName(space)})
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	case !keeper:
		for _, a := range ring.Appointments(space) {
			if a.Whom != whom {
				continue
			}
			of := a.Record.Ref()
			held, err := e.decisionsOf(ctx, ring, whom, space)
			if err != nil {
				return nil, err
			}
			if at, err = e.lastDecided(ctx, space, a.Key); err != nil {
				return nil, err
			}
			r, err := sign(&memory.Key{
				Op: memory.OpRevoke, Key: a.Key, Of: &of, Reason: memory.Superseded, From: state.HeldLine(held),
			})
			if err != nil {
				return nil, err
			}
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		return nil, nil
	}
	var refs []string
	for _, r := range records {
		refs = append(refs, r.Ref().String())
	}
	return refs, e.Append(ctx, store.Batch{Records: records})
}

// lastDecided returns when a dismissal or a handover is dated: now, or right after the last thing
// that was said here with some keys by a clock that is a little ahead. What was decided before holds.
func (e *Exchange) lastDecided(ctx context.Context, space string, dids ...string) (memory.Time, error) {
	const looked = 50
	now := e.C.Now()
	at, soon := now, now.Add(trust.AheadBy)
	for _, did := range dids {
		q := store.Query{
			Author: did, Spaces: []string{space}, Kinds: append(memory.Memories(), memory.Claims()...), Hidden: true,
			Limit: looked,
		}
		for it, err := range e.First().List(ctx, q) {
			if err != nil {
				return memory.Time{}, core.Classify(err)
			}
			if it.Record == nil {
				continue
			}
			if said := it.Record.Header.At.Time(); said.After(at) && !said.After(soon) {
				at = said
			}
		}
	}
	return memory.At(at), nil
}
