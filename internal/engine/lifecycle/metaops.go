package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ConfidenceHistory says who moved the confidence of a memory, when, from what to
// what and why. Claims of those who have no say are not among them.
func (e *Lifecycle) ConfidenceHistory(ctx context.Context, in api.RefRequest) (api.ConfidenceHistoryReply, error) {
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return api.ConfidenceHistoryReply{}, err
	}
	if it.Record == nil {
		return api.ConfidenceHistoryReply{}, core.Conflict("%s was purged", it.Ref.Short())
	}
	reply := api.ConfidenceHistoryReply{
		Ref: it.Ref.String(), Headline: it.Record.Headline(), Confidence: it.State.Confidence.Float(),
		ConfidenceAsserted: it.Record.Header.Confidence.Float(),
	}
	reply.ConfidenceHistory, err = e.standing.ConfidenceChanges(e.trust.Reading(ctx), it)
	return reply, err
}

// defaultStep is how far an episode moves a confidence by default, in thousandths.
const defaultStep = 50

// Reinforce moves the confidence of a memory because of episodes: up, or down
// where the step is below 0. One episode moves a memory once in each direction.
func (e *Lifecycle) Reinforce(ctx context.Context, in api.ReinforceRequest) (api.ReinforceReply, error) {
	reply := api.ReinforceReply{}
	step, err := reinforcement(in.Step)
	if err != nil {
		return reply, err
	}
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	if err := e.Mine(ctx, it, "move its confidence"); err != nil {
		return reply, err
	}
	because, err := e.reinforcing(ctx, it, in.Because)
	if err != nil {
		return reply, err
	}
	before := it.State.Confidence
	switch {
	case step > 0 && before == memory.Certain:
		return reply, core.Conflict("%s is at 1 already; nothing reinforces it", it.Ref.Short())
	case step < 0 && before == 0:
		return reply, core.Conflict("%s is at 0 already; nothing weakens it", it.Ref.Short())
	}
	at, err := e.AfterAll(ctx, it, func(b memory.Body) bool { a, ok := b.(*memory.Assess); return ok && a.To != nil })
	if err != nil {
		return reply, err
	}
	if err := e.movedOnce(ctx, it, because, step); err != nil {
		return reply, err
	}
	space, err := e.SpaceFor(ctx, it.Record)
	if err != nil {
		return reply, err
	}
	claim, err := e.Sign(memory.Header{
		Space: space, At: at, Confidence: memory.Certain, Provenance: memory.Provenance{
			Via: memory.ViaDirect, Context: "reinforce",
		},
	}, &memory.Assess{Of: it.Ref, Step: step, Reason: in.Reason, Because: because})
	if err != nil {
		return reply, err
	}
	if err := e.Append(ctx, store.Batch{Records: []*memory.Record{claim}}); err != nil {
		return reply, err
	}
	after, err := e.Store.Get(ctx, it.Ref.ID)
	if err != nil {
		return reply, core.Classify(err)
	}
	return api.ReinforceReply{
		Claim: claim.Ref().String(), Ref: it.Ref.String(), Headline: it.Record.Headline(), ConfidenceBefore: before.Float(),
		Confidence: after[0].State.Confidence.Float(), Because: core.RefStrings(because),
	}, nil
}

func reinforcement(step *float64) (int, error) {
	if step == nil {
		return defaultStep, nil
	}
	n, err := memory.Thousandths("step", *step, -1, 1)
	if err == nil && n == 0 {
		err = core.Invalid("step: 0 moves nothing")
	}
	return n, core.Classify(err)
}

// reinforcing resolves the episodes that move a memory: live ones, each once.
func (e *Lifecycle) reinforcing(ctx context.Context, it *store.Item, refs []string) ([]memory.Ref, error) {
	if len(refs) == 0 {
		return nil, core.Invalid("because: name the episodes that speak for it, or against it")
	}
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, ep := range items {
		switch {
		case ep.Ref.Kind != memory.KindEpisode:
			return nil, core.Invalid("because: %s is not an episode; only episodes change a confidence", ep.Ref.Short())
		case ep.Ref == it.Ref:
			return nil, core.Invalid("because: %s cannot speak for itself", it.Ref.Short())
		case !ep.State.Live():
			return nil, core.Conflict("%s is %s and speaks for nothing", ep.Ref.Short(), core.Hidden(&ep.State))
		}
	}
	return core.RefsOf(items), nil
}

// movedOnce refuses episodes that moved a memory in the same direction before: telling an
// event twice does not make it happen twice.
func (e *Lifecycle) movedOnce(ctx context.Context, it *store.Item, because []memory.Ref, step int) error {
	claims, err := e.standing.ClaimsOf(e.trust.Reading(ctx), it.Ref.ID)
	if err != nil {
		return err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	for _, s := range state.History(it.Record, claims, e.C.Now(), who) {
		a, ok := s.Claim.Body.(*memory.Assess)
		if !ok || (a.Step > 0) != (step > 0) || a.Step == 0 {
			continue
		}
		for _, ref := range because {
			if slices.Contains(a.Because, ref) {
				return core.Conflict("%s moved %s that way already (%s)", ref.Short(), it.Ref.Short(), s.Claim.Ref().Short())
			}
		}
	}
	return nil
}

// Mine refuses records that cannot be marked, and marks that would have no effect because of
// their author.
func (e *Lifecycle) Mine(ctx context.Context, it *store.Item, what string) error {
	short := it.Ref.Short()
	switch {
	case it.Record == nil:
		return core.Conflict("%s was purged", short)
	case !it.State.SupersededBy.IsZero():
		next, err := e.current(ctx, it)
		if err != nil {
			return err
		}
		return core.Conflict("%s was superseded by %s; speak of that one", short, next.Short())
	}
	may, err := e.May(ctx, it.Record)
	if err != nil || may {
		return err
	}
	return &core.Failure{
		Kind: api.ErrForbidden, Text: short + " belongs to its owner; only they can " + what + ", at a terminal",
	}
}

// AfterAll returns a time for a claim that takes effect after those before it, even if the
// clock stood still or is behind theirs.
func (e *Lifecycle) AfterAll(ctx context.Context, it *store.Item, rival func(memory.Body) bool) (memory.Time, error) {
	claims, err := e.standing.ClaimsOf(e.trust.Reading(ctx), it.Ref.ID)
	now := e.C.Now()
	at, soon := now, now.Add(trust.AheadBy)
	for _, c := range claims {
		if t := c.Header.At.Time(); rival(c.Body) && !t.Before(at) && t.Before(soon) {
			at = t.Add(time.Millisecond)
		}
	}
	return memory.At(at), err
}
