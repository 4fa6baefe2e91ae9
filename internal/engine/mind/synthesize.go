package mind

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What memories are looked through for.
const (
	synthesizeBeliefs  = "beliefs"
	synthesizeIdentity = "identity"
)

const (
	synthesizeLimit = 1000
	askedMemories   = 20 // that a model is shown in one question
)

// Synthesize looks through episodes for what several of them show, or through beliefs for
// what they show of who holds them. What it finds waits for a person. The same of the
// same memories is proposed once, whatever became of it.
func (e *Mind) Synthesize(ctx context.Context, in api.SynthesizeRequest) (api.SynthesizeReply, error) {
	in.What = core.Or(in.What, synthesizeIdentity)
	reply := api.SynthesizeReply{What: in.What, Memories: []api.Memory{}}
	kind, find := memory.KindBelief, (*synthesis).identity
	switch in.What {
	case synthesizeIdentity:
	case synthesizeBeliefs:
		kind, find = memory.KindEpisode, (*synthesis).beliefs
	default:
		return reply, core.Invalid(
			"what: must be %s or %s, got %q", synthesizeBeliefs, synthesizeIdentity, shorten.To(in.What, 40),
		)
	}
	spaces, err := e.NamedSpaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	s := synthesis{w: &lifecycle.Working{E: e.lifecycle, Worked: &lifecycle.Worked{}}, e: e, reply: &reply}
	for _, space := range spaces {
		s.space = space
		items, err := e.newestOf(ctx, kind, space, in)
		if err != nil {
			return reply, err
		}
		reply.LookedAt += len(items)
		if err := find(&s, ctx, items); err != nil {
			return reply, err
		}
	}
	return reply, s.finish(ctx)
}

// newestOf returns the newest live memories of a kind, the oldest of them first.
func (e *Mind) newestOf(
	ctx context.Context, kind memory.Kind, space string, in api.SynthesizeRequest,
) ([]*store.Item, error) {
	limit := in.Limit
	if limit == 0 {
		limit = synthesizeLimit
	}
	q := store.Query{Kinds: []memory.Kind{kind}, Spaces: []string{space}, Session: in.Session, Limit: max(limit, 0)}
	var items []*store.Item
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil {
			items = append(items, it)
		}
	}
	slices.Reverse(items)
	return items, nil
}

// synthesis is one run over memories.
type synthesis struct {
	e     *Mind
	w     *lifecycle.Working
	reply *api.SynthesizeReply
	space string
	made  []memory.ID
	jobs  []string
}

// beliefs looks for what several episodes show.
func (s *synthesis) beliefs(ctx context.Context, items []*store.Item) error {
	return s.find(ctx, items, paging{
		ask: func(ctx context.Context, page []*store.Item) ([]extract.Draft, error) {
			answer, err := s.e.lifecycle.Ask(ctx, extract.AskConsolidate(pasts(page), s.e.C.Seed))
			if err != nil {
				return nil, err
			}
			drafts, err := extract.ReadConsolidate(answer.Text, len(page))
			if err != nil {
				s.e.lifecycle.Failed(ctx, err)
			}
			return drafts, err
		},
		rules: func() []extract.Draft { return extract.Patterns(pasts(items)) },
	})
}

func pasts(items []*store.Item) []extract.Past {
	out := make([]extract.Past, len(items))
	for i, it := range items {
		out[i] = pastOf(it)
	}
	return out
}

// pastOf is an episode as patterns are found in it.
func pastOf(it *store.Item) extract.Past {
	b, ok := it.Record.Body.(*memory.Episode)
	if !ok {
		return extract.Past{}
	}
	return extract.Past{
		Text: b.Objective, Outcome: b.Outcome, OutcomeType: b.OutcomeType,
		Lessons: slices.Concat(b.Lessons, b.Repeat),
	}
}
