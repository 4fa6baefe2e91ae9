package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Suggestions lists memories and links that wait for a person: one queue, of which review and
// conflicts are views; All adds what is undecided and needs no decision. The kind is one of memories, or link.
func (e *Lifecycle) Suggestions(ctx context.Context, in api.KindRequest) (api.SuggestionsReply, error) {
	reply := api.SuggestionsReply{Suggestions: []api.Suggestion{}}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	full := func() bool { return limit > 0 && len(reply.Suggestions) >= limit }
	if in.Kind != string(memory.KindLink) {
		pending, err := e.Review(ctx, api.KindRequest{Kind: in.Kind, All: in.All, Limit: limit})
		if err != nil {
			return reply, err
		}
		reply.More = pending.More
		for _, p := range pending.Pending {
			reply.Suggestions = append(reply.Suggestions, api.Suggestion{
				Ref: p.Ref, Type: p.Type, Headline: p.Headline, Text: p.Text, By: p.Source, Sources: p.Sources,
				At: p.At, CreatedAt: p.CreatedAt,
			})
		}
	}
	if in.Kind != "" && in.Kind != string(memory.KindLink) {
		return reply, nil
	}
	err := e.standing.EachLink(e.trust.Reading(ctx), false, func(l api.LinkView) bool {
		if l.State != standing.LinkOpen && !(in.All && l.State == standing.LinkProposed) {
			return true
		}
		if full() {
			reply.More = true
			return false
		}
		reply.Suggestions = append(reply.Suggestions, api.Suggestion{
			Ref: l.Ref, Type: string(memory.KindLink),
			Headline: l.New.Headline + " — " + l.Relation + " — " + l.Old.Headline, By: l.Detector, Link: &l,
			CreatedAt: l.CreatedAt,
		})
		return true
	})
	if err != nil {
		return reply, err
	}
	var ends []*api.LinkEnd
	for i := range reply.Suggestions {
		if l := reply.Suggestions[i].Link; l != nil {
			ends = append(ends, &l.Old, &l.New)
		}
	}
	return reply, views.MarkEnds(e.trust.Reading(ctx), e.views, ends)
}

// AcceptSuggestion approves a draft, or lets a proposed update supersede. Which side of
// a contradiction holds, resolve says.
func (e *Lifecycle) AcceptSuggestion(ctx context.Context, in api.SuggestionRequest) (api.SuggestionReply, error) {
	if err := e.OwnerOnly("accept suggestions"); err != nil {
		return api.SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return api.SuggestionReply{}, err
	}
	switch {
	case link == nil:
		r, err := e.Approve(ctx, api.DecideRequest{Refs: []string{it.Ref.String()}, Reason: in.Reason})
		return api.SuggestionReply{Memories: r.Memories}, err
	case link.Relation == memory.Contradict:
		return api.SuggestionReply{}, core.Invalid(
			"%s is a contradiction: say what holds with `resolve %s keep=old|new|both`", it.Ref.Short(),
			it.Ref.Short(),
		)
	case link.Relation == memory.Update:
		return resolvedAs(e.Resolve(ctx, api.ResolveRequest{Ref: it.Ref.String(), Keep: "new", Reason: in.Reason}))
	}
	return resolvedAs(e.Resolve(ctx, api.ResolveRequest{Ref: it.Ref.String(), Keep: "both", Reason: in.Reason}))
}

// RejectSuggestion says that a draft is wrong, or that a link ties what has nothing to
// do with each other.
func (e *Lifecycle) RejectSuggestion(ctx context.Context, in api.SuggestionRequest) (api.SuggestionReply, error) {
	if err := e.OwnerOnly("reject suggestions"); err != nil {
		return api.SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return api.SuggestionReply{}, err
	}
	if link != nil {
		return resolvedAs(e.Resolve(ctx, api.ResolveRequest{Ref: it.Ref.String(), Dismiss: true, Reason: in.Reason}))
	}
	r, err := e.Reject(ctx, api.DecideRequest{Refs: []string{it.Ref.String()}, Reason: in.Reason})
	return api.SuggestionReply{Memories: r.Memories}, err
}

// EditSuggestion says a draft in better words, approved by who says them.
func (e *Lifecycle) EditSuggestion(ctx context.Context, in api.SuggestionRequest) (api.SuggestionReply, error) {
	if err := e.OwnerOnly("edit suggestions"); err != nil {
		return api.SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return api.SuggestionReply{}, err
	}
	if link != nil {
		return api.SuggestionReply{}, core.Invalid(
			"%s is a link: accept or reject it, or `resolve %s merge=true` with words for both",
			it.Ref.Short(), it.Ref.Short(),
		)
	}
	w, err := e.Revise(
		ctx,
		api.ReviseRequest{
			Ref: it.Ref.String(), Draft: api.Draft{Text: in.Text}, Meta: api.Meta{Approve: true, Trigger: in.Reason},
		},
	)
	return api.SuggestionReply{Memory: &w}, err
}

func resolvedAs(r api.ResolveReply, err error) (api.SuggestionReply, error) {
	if err != nil {
		return api.SuggestionReply{}, err
	}
	return api.SuggestionReply{Link: &r.Link}, nil
}

func (e *Lifecycle) suggested(ctx context.Context, ref string) (*store.Item, *memory.Link, error) {
	it, err := e.Lookup(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	if it.Record == nil {
		return nil, nil, core.Conflict("%s was purged", it.Ref.Short())
	}
	link, _ := it.Record.Body.(*memory.Link)
	if link == nil && !it.Ref.Kind.IsMemory() {
		return nil, nil, core.Invalid("%s is not a suggestion; `suggestions` lists them", it.Ref.Short())
	}
	return it, link, nil
}
