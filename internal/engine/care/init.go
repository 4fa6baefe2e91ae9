package care

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
)

// Init makes the keys and introduces them to the store, where that has not been
// done. Every first write does the same by itself.
func (e *Care) Init(ctx context.Context, _ api.Nothing) (api.InitReply, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return api.InitReply{}, err
	}
	reply := api.InitReply{Owner: me.Principal, Agent: me.Agent.DID()}
	if reply.Space, err = e.WriteSpace(me.Principal); err != nil {
		return reply, err
	}
	if reply.Fingerprint, err = keys.Fingerprint(reply.Owner); err != nil {
		return reply, err
	}
	return reply, e.Append(ctx, store.Batch{})
}
