package views

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// shown puts decisions into words.
func (d *deciding) shown() ([]api.Decision, error) {
	var ids, decisions []memory.ID
	for _, one := range d.found {
		decisions = append(decisions, one.Ref.ID)
		ids = append(ids, core.IDsOf(one.Of)...)
		if one.Now != nil {
			ids = append(ids, one.Now.ID)
		}
	}
	items, err := d.rd.Get(ids...)
	if err != nil {
		return nil, err
	}
	held := make(map[memory.ID]*store.Item)
	var rated []*store.Item
	for _, it := range items {
		if it == nil || held[it.Ref.ID] != nil {
			continue
		}
		if held[it.Ref.ID] = it; it.Record != nil {
			rated = append(rated, it)
		}
	}
	ratings, err := d.e.trust.Rate(d.rd, rated, false)
	if err != nil {
		return nil, err
	}
	d.e.receipts.NoteShown("decisions", rated, ratings)
	marks, err := d.e.MarksOf(d.rd, rated, ratings, memory.Time{})
	if err != nil {
		return nil, err
	}
	marked := make(map[memory.ID][]string)
	for i, it := range rated {
		marked[it.Ref.ID] = marks[i]
	}
	back, err := d.takenBack(decisions)
	if err != nil {
		return nil, err
	}
	out := make([]api.Decision, len(d.found))
	for i, one := range d.found {
		out[i] = d.decision(&one, held, marked)
		out[i].TakenBack = back[one.Ref.ID]
		out[i].Counts = !out[i].TakenBack && d.counts(&one, held)
	}
	return out, nil
}

// takenBack returns which decisions an undo took back, or a later claim replaced.
func (d *deciding) takenBack(decisions []memory.ID) (map[memory.ID]bool, error) {
	edges, err := d.e.Store.Edges(d.rd, graph.Forward, decisions...)
	if err != nil {
		return nil, err
	}
	edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Rel != graph.Supersedes && e.Rel != graph.Speaks })
	ids := make([]memory.ID, len(edges))
	for i, edge := range edges {
		ids[i] = edge.From
	}
	items, err := d.rd.Get(ids...)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]bool)
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		undo := it.Record.Header.Provenance.Context == core.ContextUndo
		m, is := it.Record.Body.(*memory.Mark)
		switch {
		case edges[i].Rel == graph.Supersedes && (undo || !it.Ref.Kind.IsMemory()), // a revision only replaces one
			undo && is && (m.Verb == memory.Forget || m.Verb == memory.Reject):
			out[edges[i].To] = true
		}
	}
	return out, nil
}

// decision shows one.
func (d *deciding) decision(
	one *decided, held map[memory.ID]*store.Item, marked map[memory.ID][]string,
) api.Decision {
	h := &one.Record.Header
	out := api.Decision{
		Ref: one.Ref.String(), At: h.At.String(), Act: one.Name, Detail: one.Detail, By: d.who(one.Record),
		Key: cmp.Or(one.voice.Principal, h.Author), Agent: d.agent(one), Of: []api.LinkEnd{}, OfMore: max(one.more, 0),
		Why: one.Why, Space: h.Space,
	}
	for _, ref := range one.Of {
		out.Of = append(out.Of, d.end(ref, held[ref.ID], marked[ref.ID]))
	}
	if one.Now != nil {
		now := d.end(*one.Now, held[one.Now.ID], marked[one.Now.ID])
		out.Now = &now
	}
	if one.Key != "" {
		name := cmp.Or(one.Named, d.base.NameOf(d.base.Ring.Principal(one.Key)), core.Fingerprint(one.Key))
		out.Of = append(out.Of, api.LinkEnd{Ref: one.Key, Headline: name})
	}
	if len(one.Of) == 0 {
		return out
	}
	first := held[one.Of[0].ID]
	if first == nil || first.Record == nil {
		return out
	}
	if one.Ref.Kind.IsMemory() && out.Why == first.Record.Header.Trigger {
		out.Why = "" // it was said of the one before
	}
	if v := d.base.Ring.Voice(first.Record); one.voice.Owner && !v.Owner && v.Principal != "" {
		switch one.Name {
		case memory.Approve, memory.Reject, state.ActResolve:
			out.ProposedBy = d.agent(&decided{Item: first, voice: v})
		}
	}
	return out
}

// end shows what was decided about. What is quarantined, purged or forged is there without its words.
func (d *deciding) end(ref memory.Ref, it *store.Item, marks []string) api.LinkEnd {
	switch {
	case it == nil:
		return standing.LinkEnd(ref, nil, d.base)
	case it.Record == nil:
		return api.LinkEnd{Ref: it.Ref.String(), Headline: standing.PurgedText, Hidden: "purged"}
	case it.State.Quarantined || it.State.Purged || it.Doubt == store.Forged:
		why := cmp.Or(core.Hidden(&it.State), string(it.Doubt))
		return api.LinkEnd{Ref: it.Ref.String(), Headline: "(" + why + ")", Hidden: why}
	}
	end := standing.LinkEnd(it.Ref, it, d.base)
	end.Marks = marks
	return end
}

// counts reports whether a decision has effect for the reader: who made it may decide about what it is about.
func (d *deciding) counts(one *decided, held map[memory.ID]*store.Item) bool {
	v := one.voice
	if v.Principal == "" || one.Name == memory.Approve && !v.Owner {
		return false
	}
	if len(one.Of) == 0 {
		return true
	}
	first := held[one.Of[0].ID]
	if first == nil || first.Record == nil {
		return true
	}
	switch one.Name {
	case state.ActWitness, state.ActPropose:
		return true
	case state.ActVerify:
		return state.MayVerify(v, first.Record, d.base.Ring)
	case memory.Forget, memory.Recover, memory.Quarantine, memory.Release, memory.Purge:
		return state.MayHide(v, first.Record, d.base.Ring)
	}
	return state.May(v, first.Record, d.base.Ring)
}
