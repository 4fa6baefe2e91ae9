package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// Joining is what a hub is shown by somebody who wants to be let in.
type Joining struct {
	Account string `json:"account"` // did:key of the owner
	Name    string `json:"name"`
	Sig     []byte `json:"sig"`
}

// SignJoin signs, with the owner's key, that its owner wants to be let into a hub by
// an invitation. What is signed names the hub, so that no other can use it.
func (e *Engine) SignJoin(ctx context.Context, hub, challenge, code string) (Joining, error) {
	var j Joining
	if e.c.KeySession != "" {
		return j, &failure{kind: ErrForbidden, text: "the key of a session does not speak for its owner"}
	}
	if err := e.ownerOnly("join a hub"); err != nil {
		return j, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return j, err
	}
	if me.Owner == nil {
		return j, &failure{kind: ErrForbidden, text: "the owner's key is not here"}
	}
	j.Account, j.Name = me.Owner.DID(), e.c.Agent
	j.Sig, err = peer.NewClaim(j.Account, hub, challenge, code).Sign(me.Owner)
	return j, sortedKey(err)
}

// Over gives an engine over a store that is open already, such as the part of a hub
// that somebody may read. It is not closed with the engine's own means: Close closes it.
func Over(s store.Store, c Config) *Engine {
	c.fill()
	return &Engine{common: &common{store: s}, c: c}
}
