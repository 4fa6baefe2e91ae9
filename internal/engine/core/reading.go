package core

import (
	"context"
	"sync"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Reading is what one request reads of a store: its spaces, its keyring and each record, once. It is made where an
// operation begins, is passed down as the context of what that calls, and ends with it. What writes makes another one
// to read what it wrote.
type Reading struct {
	context.Context
	core *Core

	mu     sync.Mutex
	spaces []store.Space
	ring   *state.Keyring
	items  map[memory.ID]store.Item
	absent map[memory.ID]bool
}

// look is for what has a Reading within it.
func (rd *Reading) look() *Reading { return rd }

// Read returns the reading of a request: the one that its context is, or else one that begins now.
func (e *Core) Read(ctx context.Context) *Reading {
	if of, ok := ctx.(interface{ look() *Reading }); ok && of.look().core == e {
		return of.look()
	}
	return &Reading{Context: ctx, core: e}
}

// Spaces lists the logs of the store, in the order they began.
func (rd *Reading) Spaces() ([]store.Space, error) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	if rd.spaces == nil {
		all, err := rd.core.Store.Spaces(rd.Context)
		if err != nil {
			return nil, err
		}
		rd.spaces = append(make([]store.Space, 0, len(all)), all...)
	}
	return rd.spaces, nil
}

// Drop forgets the records, of which a list that goes on would keep all.
func (rd *Reading) Drop() {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	rd.items, rd.absent = nil, nil
}

// Keyring returns the keyring. It is for all of the request: no caller changes it.
func (rd *Reading) Keyring() (*state.Keyring, error) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	if rd.ring == nil {
		ring, err := rd.core.Store.Keyring(rd.Context)
		if err != nil {
			return nil, Classify(err)
		}
		rd.ring = ring
	}
	return rd.ring, nil
}

// Get returns items in the order of ids, as the store has them; an absent one is nil. Each caller has its own copies.
func (rd *Reading) Get(ids ...memory.ID) ([]*store.Item, error) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	var unread []memory.ID
	asked := make(map[memory.ID]bool)
	for _, id := range ids {
		if _, known := rd.items[id]; !known && !rd.absent[id] && !asked[id] {
			asked[id], unread = true, append(unread, id)
		}
	}
	if len(unread) > 0 {
		items, err := rd.core.Store.Get(rd.Context, unread...)
		if err != nil {
			return nil, err
		}
		if rd.items == nil {
			rd.items, rd.absent = make(map[memory.ID]store.Item), make(map[memory.ID]bool)
		}
		for i, it := range items {
			if it == nil {
				rd.absent[unread[i]] = true
			} else {
				rd.items[unread[i]] = *it
			}
		}
	}
	out := make([]*store.Item, len(ids))
	for i, id := range ids {
		if it, held := rd.items[id]; held {
			out[i] = &it
		}
	}
	return out, nil
}

// Keyring returns the keyring that follows from the key records in the store.
func (e *Core) Keyring(ctx context.Context) (*state.Keyring, error) {
	return e.Read(ctx).Keyring()
}
