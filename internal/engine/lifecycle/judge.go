package lifecycle

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// judgings returns what some held jobs ask.
func (e *Lifecycle) judgings(ctx context.Context, keys []string) ([]api.Judging, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	jobs, err := e.Store.Jobs(ctx, store.JobQuery{Keys: keys, Open: true})
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []api.Judging
	for i := range jobs {
		var d Detecting
		if err := readBody(&jobs[i], &d); err != nil {
			return nil, err
		}
		it, err := e.One(ctx, d.New.ID)
		if err != nil || it == nil {
			return out, err
		}
		one := api.Judging{
			Ref: it.Ref.String(), Headline: it.Record.Headline(), Text: standing.Beyond(it.Record),
			Candidates: []api.JudgeCandidate{},
		}
		for n, ref := range d.Shown {
			old, err := e.One(ctx, ref.ID)
			if err != nil || old == nil {
				return out, err
			}
			one.Candidates = append(one.Candidates, api.JudgeCandidate{
				Number: n + 1, Ref: ref.String(), Headline: old.Record.Headline(), Text: standing.Beyond(old.Record),
				At: standing.At(old.Record), CreatedAt: old.Record.Header.At.String(),
			})
		}
		out = append(out, one)
	}
	return out, nil
}

// Judge accepts the caller's judgement in place of a detector's. Only candidates that were
// shown can be named, once; the link is only a proposal.
func (e *Lifecycle) Judge(ctx context.Context, in api.JudgeRequest) (api.JudgeReply, error) {
	var reply api.JudgeReply
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	reply.Ref = it.Ref.String()
	if it.Record == nil || !it.State.Live() {
		return reply, core.Conflict("%s is not shown any more", it.Ref.Short())
	}
	holder, err := e.NewRun("judge")
	if err != nil {
		return reply, err
	}
	key := "detect/" + it.Ref.ID.String()
	j, err := e.Store.TakeJob(
		ctx, store.Take{Holder: holder, Keys: []string{key}, Until: e.C.Now().Add(leaseOfJob), All: true},
	)
	if err != nil {
		return reply, core.Classify(err)
	}
	if j == nil {
		return reply, core.Conflict(
			"%s waits for no judgement: it was compared already, or nothing was like it", it.Ref.Short(),
		)
	}
	out, err := e.judgement(ctx, it, j, in)
	if err == nil {
		err = e.Append(ctx, store.Batch{
			Records: out.Records, Expect: out.expect, Finished: &store.Finished{
				Work: store.Work{Key: key, Holder: holder}, Note: "judged by the caller",
			},
		})
	}
	if err != nil {
		if errors.Is(err, store.ErrConflict) {
			err = core.Conflict(
				"%s was compared with a memory that changed meanwhile; it will be compared again", it.Ref.Short(),
			)
		}
		return reply, errors.Join(
			err,
			core.Classify(e.Store.PutBack(ctx, store.PutBack{Work: store.Work{Key: key, Holder: holder}, Due: j.Due})),
		)
	}
	for _, r := range out.Records {
		links, err := e.Store.Get(ctx, r.ID)
		if err != nil {
			return reply, core.Classify(err)
		}
		views, err := e.standing.LinkViews(e.trust.Reading(ctx), core.Present(links))
		if err != nil {
			return reply, err
		}
		reply.Link = &views[0]
	}
	return reply, nil
}

// judgement makes the link of a judgement.
func (e *Lifecycle) judgement(ctx context.Context, it *store.Item, j *store.Job, in api.JudgeRequest) (Outcome, error) {
	var d Detecting
	if err := json.Unmarshal(j.Body, &d); err != nil {
		return Outcome{}, err
	}
	if in.Relation == "none" {
		if in.Candidate != 0 {
			return Outcome{}, core.Invalid("candidate: leave it out if the relation is none")
		}
		return Outcome{}, nil
	}
	if in.Candidate < 1 || in.Candidate > len(d.Shown) {
		return Outcome{}, core.Invalid("candidate: must be from 1 to %d, got %d", len(d.Shown), in.Candidate)
	}
	old, err := e.One(ctx, d.Shown[in.Candidate-1].ID)
	if err != nil {
		return Outcome{}, err
	}
	if old == nil {
		return Outcome{}, core.Conflict("candidate %d is not held any more", in.Candidate)
	}
	all, err := e.Comparing(ctx, it, old)
	if err != nil {
		return Outcome{}, err
	}
	r := &evolve.Relation{Type: in.Relation, Confidence: 0.5, Reason: in.Reason, Detector: "caller"}
	if in.Confidence != nil {
		r.Confidence = *in.Confidence
	}
	if evolve.Allowed(r, all[0], 1) == nil {
		switch {
		case !(r.Confidence >= 0 && r.Confidence <= 1):
			return Outcome{}, core.Invalid("confidence: must be from 0 to 1")
		case r.Confidence < evolve.Threshold:
			return Outcome{}, nil // too unsure to be said
		case all[0].External:
			return Outcome{}, core.Invalid(
				"relation: what comes from outside can only contradict, got %q", shorten.To(in.Relation, 40),
			)
		}
		return Outcome{}, core.Invalid(
			"relation: must be none, update, extend, derive or contradict, got %q", shorten.To(in.Relation, 40),
		)
	}
	out := Outcome{expect: []memory.ID{it.Ref.ID, old.Ref.ID}}
	return out, e.Relate(ctx, &out, it, old, r, memory.OriginAgent)
}
