package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The states of a link.
const (
	LinkOpen     = "open"     // somebody has to decide
	LinkProposed = "proposed" // undecided, and the policy asks no person: both memories say so
	LinkKept     = "standing" // it says something and asks for nothing, or both were kept
	LinkAccepted = "accepted" // the owner said it
	LinkApplied  = "applied"  // a policy applied it, without a person
	LinkLetGo    = "let_go"   // not settled in time
	linkRejected = "rejected"
	linkOver     = "over" // another link took its place, or an end is hidden by now
)

// LinkViews shows links with both ends, as they are now. An open one is proposed where it
// needs no decision.
func (e *Standings) LinkViews(rd *trust.Reading, links []*store.Item) ([]api.LinkView, error) {
	tied, err := e.Ties(rd, memory.Time{}, links)
	if err != nil {
		return nil, err
	}
	waiting, err := e.Waits(rd)
	if err == nil {
		err = waiting.links(rd, tied)
	}
	out := make([]api.LinkView, len(tied))
	for i := range tied {
		out[i] = tied[i].LinkView
	}
	return out, err
}

// A Tie is a link with both its ends. The ends of an open link are the current revisions: a
// proposal about a memory is one about its revision.
type Tie struct {
	api.LinkView
	OldItem, NewItem *store.Item // nil where it is not held
	Differs          bool        // people decided it in two ways: it is open again
}

// Ties reads links with both ends, as of a time; zero is now. An open one is undecided, whether
// somebody is asked about it or not.
func (e *Standings) Ties(rd *trust.Reading, at memory.Time, links []*store.Item) ([]Tie, error) {
	var ids []memory.ID
	for _, it := range links {
		if l, ok := it.Record.Body.(*memory.Link); ok {
			ids = append(ids, l.Source.ID, l.Target.ID)
		}
	}
	ends, err := e.ItemsAt(rd, at, ids...)
	if err != nil {
		return nil, err
	}
	chains, err := e.Chains(rd, at, ends)
	if err != nil {
		return nil, err
	}
	ring, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	base, err := rd.TrustContext()
	if err != nil {
		return nil, err
	}
	var out []Tie
	for _, it := range links {
		l, ok := it.Record.Body.(*memory.Link)
		if !ok {
			continue
		}
		old, new, turned := EndsNow(l, chains[0].Latest(), chains[1].Latest())
		source, target := l.Source, l.Target
		accepted := ""
		held := ends[0] != nil && ends[0].Record != nil
		switch v := ring.Voice(it.Record); {
		case held && !state.May(v, ends[0].Record, ring): // who may not decide about it has proposed it
		case v.Owner:
			accepted = LinkAccepted
		case Applied(it) && held && ends[0].State.Yields():
			accepted = LinkApplied
		}
		h := &it.Record.Header
		t := Tie{OldItem: old, NewItem: new, LinkView: api.LinkView{
			Ref: it.Ref.String(), Relation: l.Relation, Reason: l.Reason,
			Confidence: h.Confidence.Float(), Detector: l.Detector, Model: l.Model, CreatedAt: h.At.String(),
			State: linkState(it, l, accepted, old, new),
		}}
		if t.Differs = differs(it, l, accepted, ends[0], ends[1], ring); t.Differs {
			t.State, t.Reason = LinkOpen, DecidedTwice
		}
		if t.State == LinkLetGo {
			t.Ended = it.State.Reason
		}
		if turned && t.State == LinkOpen && !t.Differs && l.Detector == evolve.RulesVersion &&
			evolve.Rules(Seen(new.Record), []evolve.Memory{Seen(old.Record)}) == nil {
			t.State = linkOver // what corrected it says the same, or another thing
		}
		if t.State != LinkOpen || t.Differs {
			t.OldItem, t.NewItem = ends[0], ends[1]
		} else if turned {
			source, target = target, source
		}
		t.Old, t.New = LinkEnd(source, t.OldItem, base), LinkEnd(target, t.NewItem, base)
		ends, chains = ends[2:], chains[2:]
		out = append(out, t)
	}
	return out, nil
}

// EndsNow returns the current ends of an open link, the older one first. Where the older end was corrected since, by
// what was said after the newer one, that is the newer of the two now: the link is turned.
func EndsNow(l *memory.Link, old, new *store.Item) (o, n *store.Item, turned bool) {
	if old == nil || new == nil || old.Record == nil || new.Record == nil || old.Ref.ID == l.Source.ID ||
		!Happened(old.Record).After(Happened(new.Record)) {
		return old, new, false
	}
	if p := &old.Record.Header.Provenance; len(p.Supersedes) > 0 && p.Context != "correct" {
		return old, new, false // said once more in other words
	}
	return new, old, true
}

func LinkEnd(ref memory.Ref, it *store.Item, base *trust.Context) api.LinkEnd {
	if it == nil || it.Record == nil {
		return api.LinkEnd{Ref: ref.String(), Headline: "(not held here)", Hidden: "missing"}
	}
	end := api.LinkEnd{
		Ref: it.Ref.String(), Headline: it.Record.Headline(), Text: Beyond(it.Record), Speaker: Speaker(it.Record.Body),
		At: At(it.Record), CreatedAt: it.Record.Header.At.String(), Hidden: core.Hidden(&it.State), By: base.By(it.Record),
	}
	if it.Ref != ref {
		end.Was = ref.String()
	}
	return end
}

// linkState returns whether a person has to decide about a link between the current revisions
// of its ends. accepted is what it is where an update took effect, "" where it did not.
func linkState(it *store.Item, l *memory.Link, accepted string, old, new *store.Item) string {
	asks := l.Relation == memory.Update || l.Relation == memory.Contradict
	switch {
	case it.State.Review == state.ReviewRejected:
		return linkRejected
	case it.State.Forgotten && it.State.Active() && !it.State.Quarantined:
		return LinkLetGo
	case !it.State.Live():
		return linkOver
	case accepted != "" && l.Relation == memory.Update:
		return accepted
	case !asks || it.State.Review == state.ReviewApproved:
		return LinkKept
	case old == nil || new == nil || !old.State.Rivals() || !new.State.Rivals():
		return linkOver
	case old.Ref == new.Ref || SameMemory(old, new) || twins(old.Record, new.Record):
		return linkOver // a revision settled it
	}
	return LinkOpen
}

// twins reports whether two memories of different kinds state the same.
func twins(a, b *memory.Record) bool {
	text := Stated(a)
	return a.Header.Kind != b.Header.Kind && text != "" && text == Stated(b)
}

const DecidedTwice = "people decided this in two ways that exclude each other"

// differs reports whether a link was decided in two ways that exclude each other: the newer one was
// put in the place of the older one and decided against, or both were rejected by two people.
func differs(it *store.Item, l *memory.Link, accepted string, old, new *store.Item, who state.Voices) bool {
	if old == nil || new == nil || old.Record == nil || new.Record == nil {
		return false
	}
	o, n := &old.State, &new.State
	switch {
	case it.State.Review == state.ReviewRejected:
		return o.Review == state.ReviewRejected && n.Review == state.ReviewRejected &&
			!samePrincipal(who, o.ReviewedBy, n.ReviewedBy)
	case !it.State.Live() || l.Relation != memory.Update || accepted != LinkAccepted || !o.Live():
		return false
	}
	return !n.Live()
}

func samePrincipal(who state.Voices, a, b string) bool {
	ring, ok := who.(*state.Keyring)
	return a == b || ok && ring.Principal(a) == ring.Principal(b)
}

// LinksOf returns the links that tie any of some memories to others, each once.
func (e *Standings) LinksOf(rd *trust.Reading, ids ...memory.ID) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := e.Store.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var links []memory.ID
	asked := make(map[memory.ID]bool)
	for _, edge := range edges {
		if (edge.Rel == graph.LinkSource || edge.Rel == graph.LinkTarget) && !asked[edge.From] {
			asked[edge.From] = true
			links = append(links, edge.From)
		}
	}
	items, err := rd.Get(links...)
	return slices.DeleteFunc(core.Present(items), func(it *store.Item) bool {
		return it.Record != nil && e.OtherProject(it.Record.Header.Space)
	}), core.Classify(err)
}

// Applied reports whether a link took effect without a person.
func Applied(it *store.Item) bool {
	l, ok := it.Record.Body.(*memory.Link)
	return ok && l.Relation == memory.Update && it.Record.Header.Provenance.Context == state.ByPolicy
}

// Tying returns the links, hidden ones too, that one of ids is an end of, each once.
func (e *Standings) Tying(rd *trust.Reading, ids ...memory.ID) ([]*store.Item, error) {
	links, err := e.LinksOf(rd, ids...)
	return slices.DeleteFunc(links, func(it *store.Item) bool {
		_, ok := it.Record.Body.(*memory.Link)
		return !ok
	}), err
}
