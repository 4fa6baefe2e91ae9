package mind

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// What an episode does to a belief.
const (
	reinforces = "reinforces"
	weakens    = "weakens"
	challenges = "challenges"
)

const (
	mostBeliefStep = 100 // thousandths by which one episode moves a belief at most
	ruleBeliefStep = 50
)

// ReviseBeliefs lets an episode reinforce, weaken or challenge beliefs that speak of the
// same. It writes claims and never changes a belief: the first two move the confidence,
// the last opens a conflict for a person to decide. One episode moves a belief once.
func (e *Mind) ReviseBeliefs(ctx context.Context, in api.ReviseBeliefsRequest) (api.ReviseBeliefsReply, error) {
	reply := api.ReviseBeliefsReply{Moves: []api.BeliefMove{}, By: "rules"}
	ep, err := e.ResolveMemory(ctx, in.Episode)
	if err != nil {
		return reply, err
	}
	if ep.Ref.Kind != memory.KindEpisode {
		return reply, core.Invalid("%s is not an episode but a %s", ep.Ref.Short(), ep.Ref.Kind)
	}
	if !ep.State.Live() || ep.Record == nil {
		return reply, core.Conflict("%s is %s", ep.Ref.Short(), core.Hidden(&ep.State))
	}
	reply.Episode, reply.Headline = ep.Ref.String(), ep.Record.Headline()
	beliefs, err := e.beliefsLike(ctx, ep)
	if err != nil {
		return reply, err
	}
	reply.Beliefs = len(beliefs)
	fresh, err := e.notMovedBy(ctx, ep.Ref, beliefs)
	if err != nil || len(fresh) == 0 {
		reply.MovedBefore = len(beliefs)
		return reply, err
	}
	reply.MovedBefore = len(beliefs) - len(fresh)
	m := moving{e: e, ep: ep, beliefs: fresh, reply: &reply}
	if m.compared, err = e.lifecycle.Comparing(ctx, append([]*store.Item{ep}, fresh...)...); err != nil {
		return reply, err
	}
	moves, err := m.moves(ctx)
	if err != nil {
		return reply, err
	}
	return reply, m.write(ctx, moves)
}

// beliefsLike returns the current beliefs with words in common with an episode, the likest
// first. What rests on the episode itself, or was made in the same run, it cannot bear out.
func (e *Mind) beliefsLike(ctx context.Context, ep *store.Item) ([]*store.Item, error) {
	terms := words.Query(strings.Join(append(episodeTexts(ep), ep.Record.Header.About...), " "))
	if len(terms) == 0 {
		return nil, nil
	}
	items, hits, err := e.lifecycle.Matching(ctx, store.Match{
		Terms: terms, Spaces: []string{ep.Record.Header.Space}, Kinds: []memory.Kind{memory.KindBelief},
		Limit: lifecycle.LikeWords,
	})
	if err != nil {
		return nil, err
	}
	resting, err := lineage.Radius(ctx, e.Store, ep.Ref.ID)
	if err != nil {
		return nil, core.Classify(err)
	}
	run := ep.Record.Header.Provenance.Run
	var out []*store.Item
	for i, it := range items {
		if it == nil || it.Record == nil || !it.State.Live() || hits[i].Own == 0 ||
			slices.Contains(resting.Order, it.Ref.ID) {
			continue
		}
		if run != "" && run == it.Record.Header.Provenance.Run {
			continue
		}
		if out = append(out, it); len(out) == evolve.MostCandidates {
			break
		}
	}
	return out, nil
}

// episodeTexts returns an episode's words about what happened, and about what was learned.
func episodeTexts(ep *store.Item) []string {
	p := pastOf(ep)
	return append([]string{p.Text, p.Outcome}, p.Lessons...)
}

// notMovedBy leaves out the beliefs of which a claim says already what the episode does.
func (e *Mind) notMovedBy(ctx context.Context, ep memory.Ref, beliefs []*store.Item) ([]*store.Item, error) {
	ids := make([]memory.ID, len(beliefs))
	for i, it := range beliefs {
		ids[i] = it.Ref.ID
	}
	moved := make(map[memory.ID]bool)
	assessed, err := e.trust.Reading(ctx).Speaking(ids, memory.KindAssess)
	if err != nil {
		return nil, err
	}
	for _, it := range assessed {
		if a, ok := it.Record.Body.(*memory.Assess); ok && slices.Contains(a.Because, ep) {
			moved[a.Of.ID] = true
		}
	}
	links, err := e.standing.Tying(e.trust.Reading(ctx), ep.ID)
	if err != nil {
		return nil, err
	}
	for _, it := range links {
		l := it.Record.Body.(*memory.Link)
		moved[l.Source.ID], moved[l.Target.ID] = true, true
	}
	return slices.DeleteFunc(slices.Clone(beliefs), func(it *store.Item) bool { return moved[it.Ref.ID] }), nil
}
