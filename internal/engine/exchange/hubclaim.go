package exchange

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// Joining is what a hub is shown by somebody who wants to be let in.
type Joining struct {
	Account string `json:"account"` // did:key that began the owner's history
	Key     string `json:"key"`     // the owner's now
	Name    string `json:"name"`
	Sig     []byte `json:"sig"`

	Keys [][]byte `json:"keys,omitempty"` // records that show how one follows the other
}

// SignJoin signs, with the owner's key, that its owner wants to be let into a hub by
// an invitation. What is signed names the hub and the key of the machine, so that no other can use it.
func (e *Exchange) SignJoin(ctx context.Context, hub, challenge, code, machine string) (Joining, error) {
	var j Joining
	if e.C.KeySession != "" {
		return j, &core.Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
	}
	if err := e.OwnerOnly("join a hub"); err != nil {
		return j, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return j, err
	}
	if me.Owner == nil {
		return j, &core.Failure{Kind: api.ErrForbidden, Text: "the owner's key is not here"}
	}
	j.Account, j.Key, j.Name = me.Principal, me.Owner.DID(), e.C.Agent
	if j.Key != j.Account {
		for _, r := range me.KeyRecords {
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
	j.Sig, err = peer.NewClaim(j.Account, j.Key, hub, challenge, code, machine).Sign(me.Owner)
	return j, core.ClassifyKey(err)
}
