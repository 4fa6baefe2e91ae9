package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SuggestionsRequest asks what was proposed and waits for a person.
type SuggestionsRequest struct {
	Kind  string `json:"kind,omitempty" jsonschema:"a kind of memory, or link"`
	Limit int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// SuggestionsReply is what waits, memories first, then links, the oldest first.
type SuggestionsReply struct {
	Suggestions []Suggestion `json:"suggestions"`
	More        bool         `json:"more,omitempty"`
}

// Suggestion is a memory or a link that nobody has decided on.
type Suggestion struct {
	Ref       string    `json:"ref"`
	Type      string    `json:"type"` // the kind
	Headline  string    `json:"headline"`
	By        string    `json:"by,omitempty"` // how it was proposed
	Sources   []Source  `json:"sources,omitempty"`
	Link      *LinkView `json:"link,omitempty"`
	CreatedAt string    `json:"created_at"`
}

// Suggestions lists drafts and open links: one queue, of which review and conflicts
// are views.
func (e *Engine) Suggestions(ctx context.Context, in SuggestionsRequest) (SuggestionsReply, error) {
	reply := SuggestionsReply{Suggestions: []Suggestion{}}
	limit := in.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	full := func() bool { return limit > 0 && len(reply.Suggestions) >= limit }
	if in.Kind != string(memory.KindLink) {
		pending, err := e.Review(ctx, ReviewRequest{Kind: in.Kind, Limit: limit})
		if err != nil {
			return reply, err
		}
		reply.More = pending.More
		for _, p := range pending.Pending {
			reply.Suggestions = append(reply.Suggestions, Suggestion{
				Ref: p.Ref, Type: p.Type, Headline: p.Headline, By: p.Source, Sources: p.Sources, CreatedAt: p.CreatedAt,
			})
		}
	}
	if in.Kind != "" && in.Kind != string(memory.KindLink) {
		return reply, nil
	}
	err := e.eachLink(ctx, false, func(l LinkView) bool {
		if l.State != linkOpen {
			return true
		}
		if full() {
			reply.More = true
			return false
		}
		reply.Suggestions = append(reply.Suggestions, Suggestion{
			Ref: l.Ref, Type: string(memory.KindLink), Headline: l.New.Headline + " — " + l.Relation + " — " + l.Old.Headline, By: l.Detector, Link: &l, CreatedAt: l.CreatedAt,
		})
		return true
	})
	return reply, err
}

// SuggestionRequest decides about one suggestion.
type SuggestionRequest struct {
	Ref    string `json:"ref"`
	Text   string `json:"text,omitempty" jsonschema:"of an edit: the memory in better words"`
	Reason string `json:"reason,omitempty"`
}

// SuggestionReply is what the decision did.
type SuggestionReply struct {
	Memories []Memory    `json:"memories,omitempty"`
	Link     *LinkView   `json:"link,omitempty"`
	Memory   *WriteReply `json:"memory,omitempty"` // of an edit
}

// AcceptSuggestion approves a draft, or lets a proposed update supersede. Which side of
// a contradiction holds, resolve says.
func (e *Engine) AcceptSuggestion(ctx context.Context, in SuggestionRequest) (SuggestionReply, error) {
	if err := e.ownerOnly("accept suggestions"); err != nil {
		return SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return SuggestionReply{}, err
	}
	switch {
	case link == nil:
		r, err := e.Approve(ctx, DecideRequest{Refs: []string{it.Ref.String()}, Reason: in.Reason})
		return SuggestionReply{Memories: r.Memories}, err
	case link.Relation == memory.Contradict:
		return SuggestionReply{}, invalid("%s is a contradiction: say what holds with 'stemma resolve %s --keep old|new|both'", it.Ref.Short(), it.Ref.Short())
	case link.Relation == memory.Update:
		return resolvedAs(e.Resolve(ctx, ResolveRequest{Ref: it.Ref.String(), Keep: "new", Reason: in.Reason}))
	}
	return resolvedAs(e.Resolve(ctx, ResolveRequest{Ref: it.Ref.String(), Keep: "both", Reason: in.Reason}))
}

// RejectSuggestion says that a draft is wrong, or that a link ties what has nothing to
// do with each other.
func (e *Engine) RejectSuggestion(ctx context.Context, in SuggestionRequest) (SuggestionReply, error) {
	if err := e.ownerOnly("reject suggestions"); err != nil {
		return SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return SuggestionReply{}, err
	}
	if link != nil {
		return resolvedAs(e.Resolve(ctx, ResolveRequest{Ref: it.Ref.String(), Dismiss: true, Reason: in.Reason}))
	}
	r, err := e.Reject(ctx, DecideRequest{Refs: []string{it.Ref.String()}, Reason: in.Reason})
	return SuggestionReply{Memories: r.Memories}, err
}

// EditSuggestion says a draft in better words, approved by who says them.
func (e *Engine) EditSuggestion(ctx context.Context, in SuggestionRequest) (SuggestionReply, error) {
	if err := e.ownerOnly("edit suggestions"); err != nil {
		return SuggestionReply{}, err
	}
	it, link, err := e.suggested(ctx, in.Ref)
	if err != nil {
		return SuggestionReply{}, err
	}
	if link != nil {
		return SuggestionReply{}, invalid("%s is a link: accept or reject it, or 'stemma resolve %s --merge' with words for both", it.Ref.Short(), it.Ref.Short())
	}
	w, err := e.Revise(ctx, ReviseRequest{Ref: it.Ref.String(), Draft: Draft{Text: in.Text}, Meta: Meta{Approve: true}})
	return SuggestionReply{Memory: &w}, err
}

func resolvedAs(r ResolveReply, err error) (SuggestionReply, error) {
	if err != nil {
		return SuggestionReply{}, err
	}
	return SuggestionReply{Link: &r.Link}, nil
}

func (e *Engine) suggested(ctx context.Context, ref string) (*store.Item, *memory.Link, error) {
	it, err := e.resolve(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	if it.Record == nil {
		return nil, nil, conflict("%s was purged", it.Ref.Short())
	}
	link, _ := it.Record.Body.(*memory.Link)
	if link == nil && !it.Ref.Kind.IsMemory() {
		return nil, nil, invalid("%s is no suggestion; 'stemma suggestions' lists them", it.Ref.Short())
	}
	return it, link, nil
}
