package mind

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// PlaybookFind finds playbooks by the words of a situation and, with an embedder,
// by its meaning: in their names, in when they apply, in their steps and in how
// they go wrong. They are ranked as a search ranks; how often one helped is shown
// and ranks nothing, since the first that was tried would win for ever.
func (e *Mind) PlaybookFind(ctx context.Context, in api.PlaybookFindRequest) (api.PlaybookFindReply, error) {
	reply := api.PlaybookFindReply{Situation: in.Situation, Playbooks: []api.PlaybookFound{}}
	found, err := e.recall.SearchIn(
		ctx, api.SearchRequest{Query: in.Situation, Kind: string(memory.KindPlaybook), Limit: in.Limit}, false,
	)
	if err != nil {
		return reply, err
	}
	reply.Receipt, reply.Warnings = found.Receipt, found.Warnings
	var items []*store.Item
	for _, r := range found.Results {
		it, err := e.Lookup(ctx, r.Ref)
		if err != nil {
			return reply, err
		}
		items = append(items, it)
	}
	memories, err := e.views.Views(e.trust.Reading(ctx), items...)
	for i, m := range memories {
		reply.Playbooks = append(reply.Playbooks, api.PlaybookFound{Rank: i + 1, Score: found.Results[i].Score, Memory: m})
	}
	return reply, err
}

// How a playbook can have served.
const (
	outcomeSuccess = "success"
	outcomeFailure = "failure"
)

// PlaybookOutcome says that a playbook was used, and whether it helped. Each call is
// one use.
func (e *Mind) PlaybookOutcome(ctx context.Context, in api.PlaybookOutcomeRequest) (api.MarkReply, error) {
	if in.Outcome != outcomeSuccess && in.Outcome != outcomeFailure {
		return api.MarkReply{}, core.Invalid("outcome: must be success or failure, got %q", shorten.To(in.Outcome, 40))
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindPlaybook)
	if err != nil {
		return api.MarkReply{}, err
	}
	reply, err := e.say(ctx, it, remark{memory.Outcome, in.Outcome, in.Notes, "say how it served", false})
	if err == nil {
		e.Touch(ctx, it.Ref.ID)
	}
	return reply, err
}
