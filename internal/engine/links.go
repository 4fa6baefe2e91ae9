package engine

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The states of a link.
const (
	linkOpen     = "open"     // somebody has to decide
	linkStanding = "standing" // it says something and asks for nothing, or both were kept
	linkAccepted = "accepted" // the owner said it, or a policy applied it
	linkRejected = "rejected"
	linkOver     = "over" // another link took its place, or an end is hidden by now
)

// linkViews shows links with both ends, as they are now.
func (e *Engine) linkViews(ctx context.Context, links []*store.Item) ([]api.LinkView, error) {
	tied, err := e.ties(ctx, memory.Time{}, links)
	out := make([]api.LinkView, len(tied))
	for i := range tied {
		out[i] = tied[i].LinkView
	}
	return out, err
}

// A tie is a link with both its ends. Of an open one the ends are what is current:
// a proposal about a memory is one about its revision.
type tie struct {
	api.LinkView
	old, new *store.Item // nil where it is not held
}

// ties reads links with both ends, as of a time; zero is now.
func (e *Engine) ties(ctx context.Context, at memory.Time, links []*store.Item) ([]tie, error) {
	var ids []memory.ID
	for _, it := range links {
		if l, ok := it.Record.Body.(*memory.Link); ok {
			ids = append(ids, l.Source.ID, l.Target.ID)
		}
	}
	ends, err := e.itemsAt(ctx, at, ids...)
	if err != nil {
		return nil, err
	}
	chains, err := e.chains(ctx, at, ends)
	if err != nil {
		return nil, err
	}
	ring, err := e.standing(ctx)
	if err != nil {
		return nil, err
	}
	var out []tie
	for _, it := range links {
		l, ok := it.Record.Body.(*memory.Link)
		if !ok {
			continue
		}
		old, new := chains[0].latest(), chains[1].latest()
		accepted := ring.Voice(it.Record).Owner || applied(it) && ends[0] != nil && memory.May(ring.Voice(it.Record), ends[0].Record, ring)
		h := &it.Record.Header
		t := tie{old: old, new: new, LinkView: api.LinkView{
			Ref: it.Ref.String(), Relation: l.Relation, Reason: l.Reason,
			Confidence: h.Confidence.Float(), Detector: l.Detector, Model: l.Model, CreatedAt: h.At.String(),
			State: linkState(it, l, accepted, old, new),
		}}
		if t.State != linkOpen {
			t.old, t.new = ends[0], ends[1]
		}
		t.Old, t.New = linkEnd(l.Source, t.old), linkEnd(l.Target, t.new)
		ends, chains = ends[2:], chains[2:]
		out = append(out, t)
	}
	return out, nil
}

// latest gives the memory that is current where one is, nil where there is none.
func (c chain) latest() *store.Item {
	if len(c) == 0 {
		return nil
	}
	return c.last()
}

func linkEnd(ref memory.Ref, it *store.Item) api.LinkEnd {
	if it == nil || it.Record == nil {
		return api.LinkEnd{Ref: ref.String(), Headline: "(not held here)", Hidden: "missing"}
	}
	end := api.LinkEnd{Ref: it.Ref.String(), Headline: it.Record.Headline(), Speaker: speaker(it.Record.Body), CreatedAt: it.Record.Header.At.String(), Hidden: hidden(&it.State)}
	if it.Ref != ref {
		end.Was = ref.String()
	}
	return end
}

// linkState says whether somebody has to decide about a link between what is current
// of its ends.
func linkState(it *store.Item, l *memory.Link, accepted bool, old, new *store.Item) string {
	asks := l.Relation == memory.Update || l.Relation == memory.Contradict
	switch {
	case it.State.Review == memory.ReviewRejected:
		return linkRejected
	case !it.State.Live():
		return linkOver
	case accepted && l.Relation == memory.Update:
		return linkAccepted
	case !asks || it.State.Review == memory.ReviewApproved:
		return linkStanding
	case old == nil || new == nil || !old.State.Live() || !new.State.Live():
		return linkOver
	case old.Ref == new.Ref || sameMemory(old, new):
		return linkOver // a revision settled it
	}
	return linkOpen
}

// linksOf gives the links that tie any of some memories to others, each once.
func (e *Engine) linksOf(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := e.store.Edges(ctx, memory.Forward, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	var links []memory.ID
	for _, edge := range edges {
		if (edge.Rel == memory.LinkSource || edge.Rel == memory.LinkTarget) && !slices.Contains(links, edge.From) {
			links = append(links, edge.From)
		}
	}
	items, err := e.store.Get(ctx, links...)
	return present(items), sorted(err)
}

// shortened gives a full ref as people read it.
func shortened(ref string) string {
	var r memory.Ref
	if r.UnmarshalText([]byte(ref)) != nil {
		return ref
	}
	return r.Short()
}
