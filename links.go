package stemma

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// LinkView is a link as replies show it, readable from both ends.
type LinkView struct {
	Ref        string  `json:"ref"`
	Relation   string  `json:"relation"`
	Old        LinkEnd `json:"old"` // the source: the older
	New        LinkEnd `json:"new"`
	Reason     string  `json:"reason,omitempty"`
	Confidence float64 `json:"confidence"`
	Detector   string  `json:"detector,omitempty"`
	Model      string  `json:"model,omitempty"`
	State      string  `json:"state"` // open, standing, accepted, rejected or over
	CreatedAt  string  `json:"created_at"`
}

// LinkEnd is one of the two memories.
type LinkEnd struct {
	Ref       string `json:"ref"`
	Headline  string `json:"headline"`
	CreatedAt string `json:"created_at,omitempty"`
	Hidden    string `json:"hidden,omitempty"`
}

// The states of a link.
const (
	linkOpen     = "open"     // somebody has to decide
	linkStanding = "standing" // it says something and asks for nothing, or both were kept
	linkAccepted = "accepted" // the owner said it himself
	linkRejected = "rejected"
	linkOver     = "over" // another link took its place, or an end is hidden by now
)

// linkViews shows links with both ends.
func (e *Engine) linkViews(ctx context.Context, links []*store.Item) ([]LinkView, error) {
	var ids []memory.ID
	for _, it := range links {
		if l, ok := it.Record.Body.(*memory.Link); ok {
			ids = append(ids, l.Source.ID, l.Target.ID)
		}
	}
	ends, err := e.store.Get(ctx, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	ring, err := e.standing(ctx)
	if err != nil {
		return nil, err
	}
	var out []LinkView
	for _, it := range links {
		l, ok := it.Record.Body.(*memory.Link)
		if !ok {
			continue
		}
		old, new := ends[0], ends[1]
		ends = ends[2:]
		h := &it.Record.Header
		out = append(out, LinkView{
			Ref: it.Ref.String(), Relation: l.Relation, Old: linkEnd(l.Source, old), New: linkEnd(l.Target, new), Reason: l.Reason,
			Confidence: h.Confidence.Float(), Detector: l.Detector, Model: l.Model, CreatedAt: h.At.String(),
			State: linkState(it, l, ring.Voice(it.Record).Owner, old, new),
		})
	}
	return out, nil
}

func linkEnd(ref memory.Ref, it *store.Item) LinkEnd {
	if it == nil || it.Record == nil {
		return LinkEnd{Ref: ref.String(), Headline: "(not held here)", Hidden: "missing"}
	}
	return LinkEnd{Ref: ref.String(), Headline: it.Record.Headline(), CreatedAt: it.Record.Header.At.String(), Hidden: hidden(&it.State)}
}

// linkState says whether somebody has to decide about a link.
func linkState(it *store.Item, l *memory.Link, owners bool, old, new *store.Item) string {
	asks := l.Relation == memory.Update || l.Relation == memory.Contradict
	switch {
	case it.State.Review == memory.ReviewRejected:
		return linkRejected
	case !it.State.Live():
		return linkOver
	case owners && l.Relation == memory.Update:
		return linkAccepted
	case !asks || it.State.Review == memory.ReviewApproved:
		return linkStanding
	case old == nil || new == nil || !old.State.Live() || !new.State.Live():
		return linkOver
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

// undecided gives, of some memories, the open links that tie them to others.
func (e *Engine) undecided(ctx context.Context, items []*store.Item) (map[memory.ID][]LinkView, error) {
	var tied []memory.ID
	for _, it := range items {
		if it != nil && it.State.Links > 0 {
			tied = append(tied, it.Ref.ID)
		}
	}
	links, err := e.linksOf(ctx, tied...)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	views, err := e.linkViews(ctx, links)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID][]LinkView)
	for i, v := range views {
		if v.State != linkOpen {
			continue
		}
		l := links[i].Record.Body.(*memory.Link)
		out[l.Source.ID] = append(out[l.Source.ID], v)
		out[l.Target.ID] = append(out[l.Target.ID], v)
	}
	return out, nil
}

// against says in a few words what an open link means for one of its ends.
func (l *LinkView) against(ref string) string {
	other, verb := l.Old, "contradicts "
	switch {
	case l.Relation == memory.Update && ref == l.Old.Ref:
		other, verb = l.New, "perhaps replaced by "
	case l.Relation == memory.Update:
		verb = "perhaps replaces "
	case ref == l.Old.Ref:
		other = l.New
	}
	return verb + shortened(other.Ref)
}

// shortened gives a full ref as people read it.
func shortened(ref string) string {
	var r memory.Ref
	if r.UnmarshalText([]byte(ref)) != nil {
		return ref
	}
	return r.Short()
}
