package engine

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SignJoin signs, with the owner's key, that its owner wants to be let into a hub by
// an invitation. What is signed names the hub, so that no other can use it.
func (e *Engine) SignJoin(ctx context.Context, hub, challenge, code string) (api.Joining, error) {
	var j api.Joining
	if e.c.KeySession != "" {
		return j, &failure{kind: api.ErrForbidden, text: "the key of a session does not speak for its owner"}
	}
	if err := e.ownerOnly("join a hub"); err != nil {
		return j, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return j, err
	}
	if me.Owner == nil {
		return j, &failure{kind: api.ErrForbidden, text: "the owner's key is not here"}
	}
	j.Account, j.Key, j.Name = me.principal, me.Owner.DID(), e.c.Agent
	if j.Key != j.Account {
		for _, r := range me.born {
			if k, ok := r.Body.(*memory.Key); !ok || k.Op == memory.OpDelegate {
				continue
			}
			line, err := envelope.Write(r)
			if err != nil {
				return j, err
			}
			j.Keys = append(j.Keys, line)
		}
	}
	j.Sig, err = peer.NewClaim(j.Account, j.Key, hub, challenge, code).Sign(me.Owner)
	return j, sortedKey(err)
}

// Over gives an engine over a store that is open already, such as the part of a hub
// that somebody may read. It is not closed with the engine's own means: Close closes it.
func Over(s store.Store, c Config) *Engine {
	c.fill()
	return &Engine{common: &common{store: s}, scored: &scored{}, noted: &noted{}, c: c}
}
