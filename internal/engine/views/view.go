package views

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Views shows items with how far they can be trusted.
func (e *Views) Views(rd *trust.Reading, items ...*store.Item) ([]api.Memory, error) {
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	e.receipts.NoteShown("list", items, trusted)
	return e.rated(rd, items, trusted)
}

// Written shows what this caller has just written, to its author: it shows them nothing that they did not know.
func (e *Views) Written(rd *trust.Reading, items ...*store.Item) ([]api.Memory, error) {
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	return e.rated(rd, items, trusted)
}

// rated shows items with their ratings.
func (e *Views) rated(
	rd *trust.Reading, items []*store.Item, trusted map[memory.ID]*trust.Rating,
) ([]api.Memory, error) {
	marks, err := e.MarksOf(rd, items, trusted, memory.Time{})
	if err != nil {
		return nil, err
	}
	out := make([]api.Memory, len(items))
	for i, it := range items {
		out[i] = View(it)
		if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
			ShowRating(&out[i], v, it.Record)
		}
		out[i].Marks = marks[i]
		if err := e.standing.Served(rd, it, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// View shows one item with how far it can be trusted.
func (e *Views) View(rd *trust.Reading, it *store.Item) (api.Memory, error) {
	all, err := e.Views(rd, it)
	if err != nil {
		return api.Memory{}, err
	}
	return all[0], nil
}

func ShowRating(m *api.Memory, v *trust.Rating, r *memory.Record) {
	score := core.DecimalTrust(v.Score)
	m.Trust, m.Level, m.TrustFlags = &score, string(v.Level), v.Flags
	m.Actionable, m.NotActionable = v.Actionable, v.WhyNot()
	m.External, m.Tainted, m.Disputed, m.By = v.External, v.Tainted, v.Disputed, v.By
	if r.Header.Kind != memory.KindRaw { // words are no conclusion
		m.Unverified = v.Section(&store.Item{Ref: r.Ref(), Record: r}) == trust.InUnverified
	}
	m.Source = trust.SourceWords(r, v)
	for _, ref := range r.Header.Provenance.From {
		if why := v.Fallen[ref.ID]; why != "" {
			m.NoLongerCounts = append(m.NoLongerCounts, api.Fallen{Ref: ref.String(), Why: why})
		}
	}
}

// Show returns one record whole. It counts as an access.
func (e *Views) Show(ctx context.Context, in api.RefRequest) (api.ShowReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	it, err := e.Lookup(rd, in.Ref)
	if err != nil {
		return api.ShowReply{}, err
	}
	trusted, err := e.trust.Rate(rd, []*store.Item{it}, false)
	if err != nil {
		return api.ShowReply{}, err
	}
	e.receipts.NoteShown("show", []*store.Item{it}, trusted)
	reply := api.ShowReply{Memory: View(it)}
	if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
		ShowRating(&reply.Memory, v, it.Record)
		reply.Upstream = slices.Clone(v.Upstream)
	}
	replaced, err := e.replacedSources(rd, it)
	if err != nil {
		return reply, err
	}
	reply.Upstream = append(reply.Upstream, replaced...)
	marks, err := e.MarksOf(rd, []*store.Item{it}, trusted, memory.Time{})
	if err != nil {
		return reply, err
	}
	reply.Marks = marks[0]
	if err := e.standing.Served(rd, it, &reply.Memory); err != nil {
		return reply, err
	}
	edges, err := e.Store.Edges(rd, graph.Forward, it.Ref.ID)
	if err != nil {
		return reply, core.Classify(err)
	}
	var derived, claims []memory.ID
	for _, edge := range edges {
		switch edge.Rel {
		case graph.DerivedFrom:
			derived = append(derived, edge.From)
		case graph.Speaks, graph.LinkSource, graph.LinkTarget:
			claims = append(claims, edge.From)
		}
	}
	items, err := rd.Get(append(derived, claims...)...)
	if err != nil {
		return reply, core.Classify(err)
	}
	for _, d := range items[:len(derived)] {
		if d != nil {
			reply.DerivedInto = append(reply.DerivedInto, d.Ref.String())
		}
	}
	if it.Ref.Kind == memory.KindRaw {
		if reply.ProcessedInto, err = e.processedInto(rd, items[:len(derived)]); err != nil {
			return reply, err
		}
	}
	for _, c := range items[len(derived):] {
		if c != nil && c.Record != nil {
			reply.Claims = append(reply.Claims, claim(c.Record))
		}
	}
	links := slices.DeleteFunc(
		core.Present(items[len(derived):]), func(it *store.Item) bool { return it.Ref.Kind != memory.KindLink },
	)
	if reply.Links, err = e.standing.LinkViews(rd, links); err != nil {
		return reply, err
	}
	if reply.Decisions, err = e.Decided(rd, it); err != nil {
		return reply, err
	}
	reply.Conditions = trusted[it.Ref.ID].Conditions(it)
	if it.Record != nil && it.Record.HasCode() {
		codeStates, err := e.CodeStates(rd, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := codeStates[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	e.Touch(rd, it.Ref.ID)
	return reply, nil
}

// processedInto returns the current memories that were made of a capture: of one that was revised, its revision.
func (e *Views) processedInto(rd *trust.Reading, made []*store.Item) ([]string, error) {
	chains, err := e.Chains(rd, memory.Time{}, made)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range chains {
		if it := c.Latest(); it != nil && it.State.Live() && !slices.Contains(out, it.Ref.String()) {
			out = append(out, it.Ref.String())
		}
	}
	return out, nil
}

func claim(r *memory.Record) api.Claim {
	return api.Claim{
		Ref: r.Ref().String(), Type: string(r.Header.Kind), Headline: r.Headline(), Author: r.Header.Author,
		At: r.Header.At.String(), Content: content(r.Body),
	}
}
