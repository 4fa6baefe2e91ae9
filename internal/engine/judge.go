package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keepJudging is how long a comparison waits for the caller's judgement before the
// jobs do it.
const keepJudging = 24 * time.Hour

// judgings gives what some held jobs ask.
func (e *Engine) judgings(ctx context.Context, keys []string) ([]api.Judging, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	jobs, err := e.store.Jobs(ctx, store.JobQuery{Keys: keys, Open: true})
	if err != nil {
		return nil, sorted(err)
	}
	var out []api.Judging
	for i := range jobs {
		var d detecting
		if err := readBody(&jobs[i], &d); err != nil {
			return nil, err
		}
		it, err := e.one(ctx, d.New.ID)
		if err != nil || it == nil {
			return out, err
		}
		one := api.Judging{Ref: it.Ref.String(), Headline: it.Record.Headline(), Candidates: []api.JudgeCandidate{}}
		for n, ref := range d.Shown {
			old, err := e.one(ctx, ref.ID)
			if err != nil || old == nil {
				return out, err
			}
			one.Candidates = append(one.Candidates, api.JudgeCandidate{Number: n + 1, Ref: ref.String(), Headline: old.Record.Headline(), CreatedAt: old.Record.Header.At.String()})
		}
		out = append(out, one)
	}
	return out, nil
}

// Judge takes the caller's judgement in place of a detector's. Only what was shown can be
// named, once; whoever judges, the link is a proposal like any other.
func (e *Engine) Judge(ctx context.Context, in api.JudgeRequest) (api.JudgeReply, error) {
	var reply api.JudgeReply
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	reply.Ref = it.Ref.String()
	if it.Record == nil || !it.State.Live() {
		return reply, conflict("%s is not shown any more", it.Ref.Short())
	}
	holder, err := e.newRun("judge")
	if err != nil {
		return reply, err
	}
	key := "detect/" + it.Ref.ID.String()
	j, err := e.store.TakeJob(ctx, store.Take{Holder: holder, Keys: []string{key}, Until: e.c.Now().Add(leaseOfJob), All: true})
	if err != nil {
		return reply, sorted(err)
	}
	if j == nil {
		return reply, conflict("%s waits for no judgement: it was compared already, or nothing was like it", it.Ref.Short())
	}
	out, err := e.judged(ctx, it, j, in)
	if err == nil {
		err = e.append(ctx, store.Batch{
			Records: out.records, Expect: out.expect, Finished: &store.Finished{Work: store.Work{Key: key, Holder: holder}, Note: "judged by the caller"},
		})
	}
	if err != nil {
		if errors.Is(err, store.ErrConflict) {
			err = conflict("what %s was compared with changed meanwhile; it will be compared anew", it.Ref.Short())
		}
		return reply, errors.Join(err, sorted(e.store.PutBack(ctx, store.PutBack{Work: store.Work{Key: key, Holder: holder}, Due: j.Due})))
	}
	for _, r := range out.records {
		links, err := e.store.Get(ctx, r.ID)
		if err != nil {
			return reply, sorted(err)
		}
		views, err := e.linkViews(ctx, present(links))
		if err != nil {
			return reply, err
		}
		reply.Link = &views[0]
	}
	return reply, nil
}

// judged makes the link of a judgement.
func (e *Engine) judged(ctx context.Context, it *store.Item, j *store.Job, in api.JudgeRequest) (outcome, error) {
	var d detecting
	if err := json.Unmarshal(j.Body, &d); err != nil {
		return outcome{}, err
	}
	if in.Relation == "none" {
		if in.Candidate != 0 {
			return outcome{}, invalid("candidate: none of them is none; leave it out")
		}
		return outcome{}, nil
	}
	if in.Candidate < 1 || in.Candidate > len(d.Shown) {
		return outcome{}, invalid("candidate: must be from 1 to %d, got %d", len(d.Shown), in.Candidate)
	}
	old, err := e.one(ctx, d.Shown[in.Candidate-1].ID)
	if err != nil {
		return outcome{}, err
	}
	if old == nil {
		return outcome{}, conflict("candidate %d is not held any more", in.Candidate)
	}
	all, err := e.comparing(ctx, it, old)
	if err != nil {
		return outcome{}, err
	}
	r := &evolve.Relation{Type: in.Relation, Confidence: 0.5, Reason: in.Reason, Detector: "caller"}
	if in.Confidence != nil {
		r.Confidence = *in.Confidence
	}
	if evolve.Allowed(r, all[0], 1) == nil {
		switch {
		case !(r.Confidence >= 0 && r.Confidence <= 1):
			return outcome{}, invalid("confidence: must be from 0 to 1")
		case r.Confidence < evolve.Threshold:
			return outcome{}, nil // too unsure to be said
		case all[0].External:
			return outcome{}, invalid("relation: what comes from outside can only contradict, got %q", memory.Cut(in.Relation, 40))
		}
		return outcome{}, invalid("relation: must be none, update, extend, derive or contradict, got %q", memory.Cut(in.Relation, 40))
	}
	out := outcome{expect: []memory.ID{it.Ref.ID, old.Ref.ID}}
	return out, e.relate(ctx, &out, it, old, r, memory.OriginAgent)
}
