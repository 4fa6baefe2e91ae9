package care

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// spaceAdvice notes handovers that do not count, and decisions of this person that do not.
func (e *Care) spaceAdvice(ctx context.Context, ring *state.Keyring, me string, note func(string, ...any)) error {
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, s := range spaces {
		owner, _ := ring.Owner(s.Name)
		for _, r := range ring.Disputed(s.Name) {
			note("%s hands %s over to %s and does not count: its signer also handed it over otherwise; its owner is %s",
				r.Ref().Short(), s.Name, r.Body.(*memory.Key).Key, ring.Current(owner))
		}
	}
	all, err := e.trust.Uncounted(e.trust.Reading(ctx), ring, me, nil)
	for _, u := range all {
		note("%d of your decisions in %s do not count, such as %s: you no longer keep or own the space, and they had not "+
			"reached its owner when that ended; ask the owner to decide", len(u.Refs), u.Space, u.Refs[0].Short())
	}
	return err
}
