package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// rejectedBefore reports whether a memory was rejected already, for a person by a person: what only an agent
// rejected is not remembered as a person's decision.
func (e *Lifecycle) rejectedBefore(ctx context.Context, it *store.Item) (bool, error) {
	if it.State.Review != state.ReviewRejected || !e.isPerson() {
		return it.State.Review == state.ReviewRejected, nil
	}
	d, who, err := e.decisionOn(ctx, it)
	return d.Rejected != nil && who.Voice(d.Rejected).Owner, err
}

// decisionOn returns what was decided about a memory, with the voices of those who did.
func (e *Lifecycle) decisionOn(ctx context.Context, it *store.Item) (state.Decision, state.Voices, error) {
	who, err := e.Keyring(ctx)
	if err != nil {
		return state.Decision{}, nil, err
	}
	claims, err := e.standing.ClaimsOf(e.trust.Reading(ctx), it.Ref.ID)
	if err != nil {
		return state.Decision{}, nil, err
	}
	return state.Decide(it.Record, claims, e.C.Now(), who), who, nil
}

// recovers refuses an agent's revision in the same words of what a person forgot: that is to bring it back.
func (e *Lifecycle) recovers(ctx context.Context, old *store.Item, r *memory.Record) error {
	if e.isPerson() || !old.State.Forgotten || !standing.SayTheSame(old.Record, r) {
		return nil
	}
	d, who, err := e.decisionOn(ctx, old)
	if err != nil || d.Forgotten == nil || !who.Voice(d.Forgotten).Owner {
		return err
	}
	return &core.Failure{
		Kind: api.ErrForbidden,
		Text: "the owner decided about " + old.Ref.Short() + "; only a person can recover it now",
	}
}
