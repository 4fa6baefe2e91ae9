package engine

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Review lists the memories that agents and models wrote and nobody decided on.
func (e *Engine) Review(ctx context.Context, in api.ReviewRequest) (api.ReviewReply, error) {
	reply := api.ReviewReply{Pending: []api.Pending{}}
	kinds, err := listKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, sorted(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	for it, err := range e.store.List(ctx, store.Query{Kinds: kinds, Spaces: spaces, Oldest: true}) {
		if err != nil {
			return reply, sorted(err)
		}
		if it.Record == nil || it.State.Review != memory.ReviewPending {
			continue
		}
		if limit > 0 && len(reply.Pending) == limit {
			reply.More = true
			break
		}
		m, err := e.view(ctx, it)
		if err != nil {
			return reply, err
		}
		p := api.Pending{Memory: m, Conditions: conditions(it)}
		from := it.Record.Header.Provenance.From
		if p.Sources, err = e.sourceLines(ctx, from[:min(len(from), 5)]); err != nil {
			return reply, err
		}
		reply.Pending = append(reply.Pending, p)
	}
	return reply, nil
}

func (e *Engine) sourceLines(ctx context.Context, refs []memory.Ref) ([]api.Source, error) {
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	var out []api.Source
	for i, it := range items {
		s := api.Source{Ref: refs[i].String(), Headline: "(not held here)"}
		if it != nil {
			s.Headline = view(it).Headline
			if it.Record != nil {
				s.Speaker = speaker(it.Record.Body)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Approve says that memories are right. Only the owner's key lifts a tier; an
// agent's approval is recorded as the agent's. Of a witness it says that he is
// right: a dispute that is upheld counts against the author's record.
func (e *Engine) Approve(ctx context.Context, in api.DecideRequest) (api.DecideReply, error) {
	return e.decide(ctx, in, memory.Approve, func(it *store.Item) (done bool, err error) {
		s := &it.State
		if s.Review == memory.ReviewRejected && !in.Force {
			return false, conflict("%s was rejected; --force approves it all the same", it.Ref.Short())
		}
		return s.Review == memory.ReviewApproved || e.c.Origin != memory.OriginOwner && s.AgentApproved, nil
	})
}

// Reject says that memories are wrong: no search and no pack shows them again. Of
// a witness it says that what he said does not count here.
func (e *Engine) Reject(ctx context.Context, in api.DecideRequest) (api.DecideReply, error) {
	return e.decide(ctx, in, memory.Reject, func(it *store.Item) (done bool, err error) {
		return it.State.Review == memory.ReviewRejected, nil
	})
}

// decide marks those memories of which the decision is not so already.
func (e *Engine) decide(ctx context.Context, in api.DecideRequest, verb string, is func(*store.Item) (bool, error)) (api.DecideReply, error) {
	reply := api.DecideReply{Memories: []api.Memory{}}
	if len(in.Refs) == 0 {
		return reply, invalid("refs: name at least one memory")
	}
	items, err := e.resolveAll(ctx, in.Refs)
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
			return reply, invalid("%s is no memory to %s: raw words and claims are what they are", it.Ref.Short(), verb)
		}
		if it.Record == nil {
			return reply, conflict("%s was purged", it.Ref.Short())
		}
		done, err := is(it)
		if err != nil {
			return reply, err
		}
		may, err := e.may(ctx, it.Record)
		if err != nil {
			return reply, err
		}
		if !may {
			return reply, &failure{kind: api.ErrForbidden, text: e.mayNotDecide(it, verb)}
		}
		if !done {
			todo = append(todo, it)
		}
	}
	if len(todo) > 0 {
		marks, err := e.marks(ctx, marking{verb: verb, reason: in.Reason}, todo...)
		if err != nil {
			return reply, err
		}
		if err := e.append(ctx, store.Batch{Records: marks}); err != nil {
			return reply, err
		}
		reply.Claim = marks[0].Ref().String()
	}
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i] = it.Ref.ID
	}
	after, err := e.store.Get(ctx, ids...)
	if err != nil {
		return reply, sorted(err)
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
		m, err := e.view(ctx, it)
		if err != nil {
			return reply, err
		}
		reply.Memories = append(reply.Memories, m)
	}
	if verb == memory.Approve && e.c.Origin != memory.OriginOwner {
		reply.Hint = "recorded as an agent's approval, which changes no tier; a person approves at a terminal with 'stemma approve' or 'stemma review'"
	}
	return reply, nil
}

// mayNotDecide says why one cannot decide on a memory, and what one can do.
func (e *Engine) mayNotDecide(it *store.Item, verb string) string {
	if e.isPerson() {
		return it.Ref.Short() + " is another author's, in a space that is not yours; say what you think of it with 'stemma witness " + it.Ref.Short() + "'"
	}
	return fmt.Sprintf("%s is its owner's; only a person can %s it, at a terminal", it.Ref.Short(), verb)
}

// conditions says which conditions of the tiers a memory meets.
func conditions(it *store.Item) []api.Condition {
	if it.Record == nil || it.Ref.Kind == memory.KindRaw || !it.Ref.Kind.IsMemory() {
		return nil
	}
	s, ref := &it.State, it.Ref.Short()
	var out []api.Condition
	add := func(name string, met bool, yes, no string) {
		says := no
		if met {
			says = yes
		}
		out = append(out, api.Condition{Name: name, Met: met, Says: says})
	}
	refs := codeRefs(it.Record)
	add("code refs", it.Record.HasCode(), fmt.Sprintf("it names %s", plural(len(refs), "piece")+" of code"),
		"it names no code; --file PATH#SYMBOL when it is written or revised")
	by := "a person"
	if s.AgentVerified {
		by = "an agent"
	}
	add("verified", !s.Verified.IsZero(), "by "+by+" on "+day(s.Verified), "'stemma verify "+ref+"' says that it holds")
	approval := "a person approves with 'stemma approve " + ref + "'"
	switch {
	case s.Review == memory.ReviewRejected:
		approval = "it was rejected"
	case s.AgentApproved:
		approval = "an agent's approval counts for nothing; " + approval
	}
	add("approved", s.Review == memory.ReviewApproved, "by a person on "+day(s.ReviewedAt), approval)
	add("event evidence", s.ReachesRaw, "its lineage reaches words that were captured",
		"nothing captured stands behind it; promote or consolidate what was")
	add("pending review", s.Review == memory.ReviewPending, "an agent or a model wrote it and nobody decided",
		"nobody waits for a decision")
	return out
}

// day writes the date of a time.
func day(t memory.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Format("2006-01-02")
}

// missing says what is not there for the best tier.
func missing(it *store.Item) []string {
	var out []string
	for _, c := range conditions(it) {
		if !c.Met && c.Name != "pending review" && c.Name != "event evidence" {
			out = append(out, c.Name)
		}
	}
	return out
}
