package views

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// confidenceHistory tells what moved the confidence of a memory, from its first wording
// on.
func (e *Views) ConfidenceChanges(ctx context.Context, it *store.Item) ([]api.ConfidenceChange, error) {
	who, err := e.Standing(ctx)
	if err != nil {
		return nil, err
	}
	wordings, err := e.wordings(ctx, it)
	if err != nil {
		return nil, err
	}
	var steps []api.ConfidenceChange
	var before memory.Confidence
	for i, w := range wordings {
		h := &w.Record.Header
		first := api.ConfidenceChange{
			Of: w.Ref.String(), Kind: "created", At: h.At.String(), After: h.Confidence.Float(), By: h.Author,
			Origin: string(h.Origin), Agent: h.Agent, Why: "created via " + string(h.Provenance.Via),
		}
		if i > 0 {
			was := before.Float()
			first.Kind, first.Before, first.Why = "revised", &was, "said anew"
		}
		steps, before = append(steps, first), h.Confidence
		claims, err := e.ClaimsOf(ctx, w.Ref.ID)
		if err != nil {
			return nil, err
		}
		for _, s := range memory.History(w.Record, claims, e.C.Now(), who) {
			step := confidenceChange(s, before)
			step.Of = w.Ref.String()
			steps, before = append(steps, step), s.Confidence
		}
	}
	return steps, nil
}

func confidenceChange(s memory.Step, before memory.Confidence) api.ConfidenceChange {
	h, was := &s.Claim.Header, before.Float()
	c := api.ConfidenceChange{
		Claim: s.Claim.Ref().String(), Kind: string(h.Kind), At: h.At.String(), Before: &was, After: s.Confidence.Float(),
		By: h.Author, Origin: string(h.Origin), Agent: h.Agent, Why: s.Claim.Body.Words(),
	}
	if a, ok := s.Claim.Body.(*memory.Assess); ok && len(a.Because) > 0 {
		c.Because = core.RefStrings(a.Because)
	}
	c.Why = core.Or(c.Why, s.Claim.Headline())
	return c
}
