package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
)

// InitRequest asks for nothing in particular.
type InitRequest struct{}

// InitReply says whose store it is.
type InitReply struct {
	Owner       string `json:"owner"` // did:key
	Fingerprint string `json:"fingerprint"`
	Agent       string `json:"agent"`
	Space       string `json:"space"`
}

// Init makes the keys and introduces them to the store, where that has not been
// done. Every first write does the same by itself.
func (e *Engine) Init(ctx context.Context, _ InitRequest) (InitReply, error) {
	me, err := e.ownKeys()
	if err != nil {
		return InitReply{}, err
	}
	reply := InitReply{Owner: me.principal, Agent: me.Agent.DID()}
	if reply.Space, err = e.shelf(me.principal); err != nil {
		return reply, err
	}
	if reply.Fingerprint, err = keys.Fingerprint(reply.Owner); err != nil {
		return reply, err
	}
	return reply, e.append(ctx, store.Batch{})
}
