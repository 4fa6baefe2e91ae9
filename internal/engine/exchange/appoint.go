package exchange

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
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

// DismissKeeper takes an appointment back: what the person decided before it holds, and nothing after.
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
	if store.OwnerOf(space) != me.Principal || whom == me.Principal {
		return nil, nil // a keeper gives another the role at the hub; who decides for all, the owner signs
	}
	sign := func(k *memory.Key) (*memory.Record, error) {
		h := core.KeyHeader("appoint")
		h.Space = space
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
			r, err := sign(&memory.Key{Op: memory.OpRevoke, Key: a.Key, Of: &of, Reason: memory.Superseded})
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
