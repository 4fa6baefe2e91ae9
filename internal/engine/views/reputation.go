package views

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
)

// Reputation says what the record of a key's owner is worth so far, by the key or the name it was introduced by; no
// name is the reader. An agent's key has the reputation of its owner.
func (e *Views) Reputation(ctx context.Context, in api.NameRequest) (api.ReputationReply, error) {
	rd := e.trust.Reading(ctx)
	v, err := rd.TrustContext()
	if err != nil {
		return api.ReputationReply{}, err
	}
	who, asked := v.Root, strings.TrimSpace(in.Name)
	if asked != "" && asked != "you" {
		if who, err = e.trust.KeyNamed(v, asked); err != nil {
			return api.ReputationReply{}, err
		}
		who = core.Or(v.Ring.Principal(who), who)
	}
	if who == "" {
		return api.ReputationReply{}, core.NotFound("no keys exist here; name a key with `name=did:key:…`")
	}
	return api.ReputationReply{
		AgentID: who, Name: v.NameOf(who), Known: v.Knows(who), Reputation: core.DecimalTrust(v.Reputation(who)),
		Upheld: v.Upheld[who], Refuted: v.Failed[who],
	}, nil
}
