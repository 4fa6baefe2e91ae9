package exchange

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// decisionsOf returns what a person and their agents decided in a space as its owner or keeper: what
// they said there of the records of others, and of keys. What is dated ahead has no effect yet, and
// is none.
func (e *Exchange) decisionsOf(
	ctx context.Context, ring *state.Keyring, whose, space string,
) ([]memory.ID, error) {
	said, err := e.trust.SaidOfOthers(e.trust.Reading(ctx), ring, whose, space)
	var out []memory.ID
	soon := e.C.Now().Add(trust.AheadBy)
	for _, r := range said {
		if r.Header.At.Time().After(soon) {
			continue
		}
		if v := ring.Voice(r); v.Keeps == space || state.OwnsSpace(v, space, ring) {
			out = append(out, r.ID)
		}
	}
	return out, err
}

// mostNamed bounds the decisions that a reply names.
const mostNamed = 20

// former returns the spaces that this person owned or kept and does not any more; nil where that
// is not known.
func (e *Exchange) former(ctx context.Context) map[string]memory.Time {
	me, err := e.KnownKeys()
	if err != nil || me == nil {
		return nil
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil
	}
	return ring.Former(me.Principal)
}

// sayUncounted says which decisions do not count in spaces that were not among the former ones
// before an exchange.
func (e *Exchange) sayUncounted(ctx context.Context, reply *api.SyncReply, before map[string]memory.Time) error {
	now := e.former(ctx)
	if before == nil || len(now) == len(before) {
		return nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	all, err := e.trust.Uncounted(e.trust.Reading(ctx), ring, me.Principal, before)
	for _, u := range all {
		one := api.UncountedDecisions{Space: u.Space, Count: len(u.Refs)}
		for _, ref := range u.Refs[:min(len(u.Refs), mostNamed)] {
			one.Refs = append(one.Refs, ref.String())
		}
		reply.Uncounted = append(reply.Uncounted, one)
	}
	return err
}
