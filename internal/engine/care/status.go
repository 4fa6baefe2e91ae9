package care

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Where counting for a page stops: so many found, and so many looked at.
const (
	mostCounted = 1000
	mostLooked  = 20_000
)

// verifyAgain is how long a verification of what names code is fresh.
const verifyAgain = 90 * 24 * time.Hour

func countedAdd(c *api.Counted, yes bool) {
	switch {
	case yes && c.Count == mostCounted:
		c.More = true
	case yes:
		c.Count++
	}
}

// Status returns counts, what waits for a person, and open jobs on one page.
func (e *Care) Status(ctx context.Context, _ api.Nothing) (api.StatusReply, error) {
	ctx = store.AtOnce(ctx)
	reply := api.StatusReply{Memories: []api.KindCount{}, Proposals: standing.NoProposals()}
	s, err := e.Store.Stats(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	for _, k := range memory.Memories() {
		if s.ByKind[k] > 0 {
			reply.Memories = append(reply.Memories, api.KindCount{Kind: string(k), Total: s.ByKind[k], Live: s.Live[k]})
		}
	}
	reply.Records, reply.UnprocessedRaws = s.Records, s.ByKind[memory.KindRaw]-s.Processed
	jobs, err := e.Store.Jobs(ctx, store.JobQuery{Open: true})
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.OpenJobs = len(jobs)
	remotes, err := exchange.Behind(ctx, e.exchange)
	if err != nil {
		return reply, err
	}
	reply.Remotes = remotes.Remotes
	if d, ok := core.Inside(e.First()).(interface{ Key() *atrest.Key }); ok {
		reply.Encrypted = d.Key() != nil
	}
	if reply.Embedder, reply.WithoutVector, err = recall.WithoutVector(e.trust.Reading(ctx), e.recall); err != nil {
		return reply, err
	}
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	for _, count := range []func(context.Context, *api.StatusReply, []string) error{
		e.countMemories, e.countConflicts, e.countUnverified, e.countPrompts, e.lastCapture,
	} {
		if err := count(ctx, &reply, spaces); err != nil {
			return reply, core.Classify(err)
		}
	}
	return reply, nil
}

// countMemories counts the memories that wait for a decision and the weak ones.
func (e *Care) countMemories(ctx context.Context, reply *api.StatusReply, spaces []string) error {
	kinds, err := views.ListKinds("")
	if err != nil {
		return err
	}
	waiting, err := e.standing.Waits(e.trust.Reading(ctx))
	if err != nil {
		return err
	}
	looked := 0
	for it, err := range waiting.Asking(e.trust.Reading(ctx), kinds, spaces) {
		if err != nil {
			return err
		}
		if looked++; looked > mostLooked || reply.PendingReviews.More {
			reply.PendingReviews.More = true
			break
		}
		asks, _, err := waiting.Memory(e.trust.Reading(ctx), it)
		if err != nil {
			return err
		}
		countedAdd(&reply.PendingReviews, asks)
	}
	for _, err := range e.standing.Unsure(e.trust.Reading(ctx), kinds, spaces, lifecycle.DefaultUncertain*1000) {
		if err != nil {
			return err
		}
		if countedAdd(&reply.Uncertain, true); reply.Uncertain.More {
			break
		}
	}
	return nil
}

// countConflicts counts the links that ask for a decision, and the memories that have rival revisions.
func (e *Care) countConflicts(ctx context.Context, reply *api.StatusReply, _ []string) error {
	forks, err := e.lifecycle.Forks(ctx, mostCounted)
	if err != nil {
		return err
	}
	for range forks {
		countedAdd(&reply.OpenConflicts, true)
	}
	looked := 0
	return e.standing.EachLink(e.trust.Reading(ctx), true, func(l api.LinkView) bool {
		countedAdd(&reply.OpenConflicts, l.State == standing.LinkOpen)
		standing.CountProposal(reply.Proposals, &l)
		if looked++; looked == mostLooked {
			reply.OpenConflicts.More = true
		}
		return !reply.OpenConflicts.More
	})
}

// countUnverified counts what names code and was not verified lately.
func (e *Care) countUnverified(ctx context.Context, reply *api.StatusReply, spaces []string) error {
	old := e.C.Now().Add(-verifyAgain)
	looked := 0
	for it, err := range e.Store.List(ctx, store.Query{Spaces: spaces, Mark: index.CodeMark}) {
		if err != nil {
			return err
		}
		if looked++; looked > mostLooked {
			reply.NeedsVerification.More = true
			return nil
		}
		countedAdd(&reply.NeedsVerification, it.Record != nil && it.State.Verified.Time().Before(old))
	}
	return nil
}

// countPrompts counts the prompts that are not memories yet, those that were not kept, and what is held back.
func (e *Care) countPrompts(ctx context.Context, reply *api.StatusReply, _ []string) (err error) {
	if reply.PromptsWaiting, err = e.views.CountPrompts(e.trust.Reading(ctx), false); err == nil {
		reply.PromptsNotKept, err = e.views.CountPrompts(e.trust.Reading(ctx), true)
	}
	if err == nil {
		reply.HeldBack, err = e.views.CountHeld(e.trust.Reading(ctx))
	}
	return err
}

func (e *Care) lastCapture(ctx context.Context, reply *api.StatusReply, spaces []string) error {
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindRaw}, Spaces: spaces, Limit: 1}) {
		if err != nil {
			return err
		}
		if it.Record != nil {
			reply.LastCapture = it.Record.Header.At.String()
		}
	}
	return nil
}
