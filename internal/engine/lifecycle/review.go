package lifecycle

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Review lists the memories that wait for a person under the policy in force; All adds what
// else agents wrote and no one decided on.
func (e *Lifecycle) Review(ctx context.Context, in api.KindRequest) (api.ReviewReply, error) {
	reply := api.ReviewReply{Pending: []api.Pending{}, Proposals: standing.NoProposals()}
	kinds, err := views.ListKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	waiting, err := e.standing.Waits(e.trust.Reading(ctx))
	if err != nil {
		return reply, err
	}
	l := newLooked()
	asking := waiting.Asking(e.trust.Reading(ctx), kinds, spaces)
	if in.All {
		asking = e.Store.List(ctx, store.Query{Kinds: kinds, Spaces: spaces, Oldest: true})
	}
	for it, err := range asking {
		if err != nil {
			return reply, core.Classify(err)
		}
		asks, why, err := waiting.Memory(e.trust.Reading(ctx), it)
		if err != nil {
			return reply, err
		}
		if !asks && !(in.All && it.Record != nil && it.State.Review == state.ReviewPending) {
			continue
		}
		if limit > 0 && len(reply.Pending) == limit {
			reply.More = true
			break
		}
		m, err := e.views.View(e.trust.Reading(ctx), it)
		if err != nil {
			return reply, err
		}
		p := api.Pending{Memory: m, Asks: asks, Why: why, Conditions: core.Conditions(it)}
		if p.OneByOne, err = e.views.DecidedAlone(e.trust.Reading(ctx), it); err != nil {
			return reply, err
		}
		from := it.Record.Header.Provenance.From
		if p.Sources, err = e.sourceLines(ctx, from[:min(len(from), 5)]); err != nil {
			return reply, err
		}
		if _, p.RejectedBefore, err = e.Rejected(ctx, it.Record); err != nil {
			return reply, err
		}
		if len(reply.Pending) < reviewNear {
			if p.Near, err = e.reviewedNear(ctx, l, it); err != nil {
				return reply, err
			}
		}
		reply.Pending = append(reply.Pending, p)
	}
	if reply.Proposals, err = e.standing.Proposals(e.trust.Reading(ctx)); err != nil {
		return reply, err
	}
	if reply.HeldBack, err = e.views.HeldGroups(e.trust.Reading(ctx)); err != nil {
		return reply, err
	}
	if reply.PromptsWaiting, err = e.views.CountPrompts(e.trust.Reading(ctx), false); err == nil {
		reply.PromptsNotKept, err = e.views.CountPrompts(e.trust.Reading(ctx), true)
	}
	return reply, err
}

// reviewNear is of how many memories that wait a review says what is near.
const reviewNear = 20

// reviewedNear returns what is near to a memory that waits.
func (e *Lifecycle) reviewedNear(ctx context.Context, l *looked, it *store.Item) ([]api.Source, error) {
	near, err := e.nearOf(ctx, l, []*store.Item{it})
	if err != nil {
		return nil, err
	}
	refs := make([]memory.Ref, len(near))
	for i, o := range near {
		refs[i] = o.Ref
	}
	return e.sourceLines(ctx, refs)
}

func (e *Lifecycle) sourceLines(ctx context.Context, refs []memory.Ref) ([]api.Source, error) {
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	items, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []api.Source
	for i, it := range items {
		s := api.Source{Ref: refs[i].String(), Headline: "(not held here)"}
		if it != nil {
			s.Headline = views.View(it).Headline
			if it.Record != nil {
				s.Text, s.At, s.Speaker = standing.Beyond(it.Record), standing.At(it.Record), standing.Speaker(it.Record.Body)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Approve approves memories. Only a person may. Approving a witness upholds it: an upheld
// dispute counts against the author's record.
func (e *Lifecycle) Approve(ctx context.Context, in api.DecideRequest) (api.DecideReply, error) {
	if err := e.OwnerOnly(approving); err != nil {
		return api.DecideReply{Memories: []api.Memory{}}, err
	}
	return e.decide(ctx, in, memory.Approve, func(it *store.Item) (done bool, err error) {
		s := &it.State
		if s.Review == state.ReviewRejected && !in.Force {
			return false, core.Conflict("%s was rejected; `force=true` approves it anyway", it.Ref.Short())
		}
		return s.Review == state.ReviewApproved, nil
	})
}

// approving is what only a person may do, by a verb or with what they write.
const approving = "approve memories"

// mayApprove refuses an agent that would approve what it writes.
func (e *Lifecycle) mayApprove(m api.Meta) error {
	if !m.Approve {
		return nil
	}
	return e.OwnerOnly(approving)
}

// Reject rejects memories: no search and no pack shows them again. A rejected witness does not
// count in this store.
func (e *Lifecycle) Reject(ctx context.Context, in api.DecideRequest) (api.DecideReply, error) {
	return e.decide(ctx, in, memory.Reject, func(it *store.Item) (done bool, err error) {
		if err := e.standing.TakesOut(e.trust.Reading(ctx), it, "reject it"); err != nil {
			return false, err
		}
		return e.rejectedBefore(ctx, it)
	})
}

// decide marks those memories of which the decision is not so already.
func (e *Lifecycle) decide(
	ctx context.Context, in api.DecideRequest, verb string, is func(*store.Item) (bool, error),
) (api.DecideReply, error) {
	reply := api.DecideReply{Memories: []api.Memory{}}
	if len(in.Refs) == 0 {
		return reply, core.Invalid("refs: name at least one memory")
	}
	items, err := e.ResolveAll(ctx, in.Refs)
	if err != nil {
		return reply, err
	}
	var todo []*store.Item
	for _, it := range items {
		if w := witnessOf(it); w != nil {
			done, err := e.resolved(ctx, it, w, verb)
			if err != nil {
				return reply, err
			}
			if !done {
				todo = append(todo, it)
			}
			continue
		}
		if it.Ref.Kind == memory.KindRaw || !it.Ref.Kind.IsMemory() {
			return reply, core.Invalid("cannot %s %s: it is a capture or a claim, not a memory", verb, it.Ref.Short())
		}
		if it.Record == nil {
			return reply, core.Conflict("%s was purged", it.Ref.Short())
		}
		done, err := is(it)
		if err != nil {
			return reply, err
		}
		may, err := e.May(ctx, it.Record)
		if err != nil {
			return reply, err
		}
		if !may {
			return reply, &core.Failure{Kind: api.ErrForbidden, Text: e.mayNotDecide(it, verb)}
		}
		if !done {
			todo = append(todo, it)
		}
	}
	if len(todo) > 0 {
		marks, err := e.Marks(ctx, core.Marking{Verb: verb, Reason: in.Reason}, todo...)
		if err != nil {
			return reply, err
		}
		reply.Claim = marks[0].Ref().String()
		if verb == memory.Approve {
			links, err := e.tieApproved(ctx, todo)
			if err != nil {
				return reply, err
			}
			marks = append(marks, links...)
		}
		if err := e.Append(ctx, store.Batch{Records: marks}); err != nil {
			return reply, err
		}
	}
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i] = it.Ref.ID
	}
	after, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return reply, core.Classify(err)
	}
	for _, it := range after {
		if w := witnessOf(it); w != nil {
			shown, err := e.resolution(ctx, it, w)
			if err != nil {
				return reply, err
			}
			reply.Witnesses = append(reply.Witnesses, shown)
			continue
		}
		m, err := e.views.View(e.trust.Reading(ctx), it)
		if err != nil {
			return reply, err
		}
		reply.Memories = append(reply.Memories, m)
	}
	if verb == memory.Reject && len(todo) > 0 {
		reply.Hint, err = e.replacedBefore(ctx, todo)
	}
	return reply, err
}

// mayNotDecide says why one cannot decide on a memory, and what one can do.
func (e *Lifecycle) mayNotDecide(it *store.Item, verb string) string {
	if e.isPerson() {
		return it.Ref.Short() + " is another author's, in a space that is not yours; say what you think of it with " +
			"`witness " + it.Ref.Short() + "`"
	}
	return fmt.Sprintf("%s belongs to its owner; only a person can %s it, at a terminal", it.Ref.Short(), verb)
}
