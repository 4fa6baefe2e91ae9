package engine

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
)

// Init makes the keys and introduces them to the store, where that has not been
// done. Every first write does the same by itself.
func (e *Engine) Init(ctx context.Context, _ api.InitRequest) (api.InitReply, error) {
	me, err := e.ownKeys()
	if err != nil {
		return api.InitReply{}, err
	}
	reply := api.InitReply{Owner: me.principal, Agent: me.Agent.DID()}
	if reply.Space, err = e.shelf(me.principal); err != nil {
		return reply, err
	}
	if reply.Fingerprint, err = keys.Fingerprint(reply.Owner); err != nil {
		return reply, err
	}
	return reply, e.append(ctx, store.Batch{})
}
