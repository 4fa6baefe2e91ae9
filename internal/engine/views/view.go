package views

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// tierOf is the tier of a memory as it stands with who looks. Where nobody asked how
// it stands, no evidence behind it counts.
func TierOf(it *store.Item) memory.Tier {
	if it.Tier != nil {
		return *it.Tier
	}
	if it.Record == nil {
		return memory.NoTier
	}
	s := it.State
	s.ReachesRaw = false
	return memory.TierOf(it.Record, &s)
}

// view shows an item as it stands: see vouch, which puts into its state what counts.
func View(it *store.Item) api.Memory {
	s := &it.State
	m := api.Memory{
		Ref: it.Ref.String(), Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Hidden: core.Hidden(s),
		Active: s.Active(), SupersededBy: refOrNone(it.Ref.Kind, s.SupersededBy), Protected: s.Protected,
		LastVerified: s.Verified.String(), Verified: s.Verifications, Review: string(s.Review), ReviewedAt: s.ReviewedAt.String(),
		ReviewedBy: s.ReviewedBy, Doubt: string(it.Doubt),
	}
	r := it.Record
	if r == nil {
		m.Headline = api.PurgedText
		return m
	}
	h := &r.Header
	m.Headline, m.Content = r.Headline(), content(r.Body)
	m.Confidence, m.Asserted = s.Confidence.Float(), h.Confidence.Float()
	m.Tier, m.CodeRefs, m.Shelf = string(TierOf(it)), core.CodeRefs(r), it.Shelf
	m.Supersedes, m.DerivedFrom = core.RefStrings(h.Provenance.Supersedes), core.RefStrings(h.Provenance.From)
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindEpisode {
			m.Episodes = append(m.Episodes, ref.String())
		}
	}
	m.CreatedVia, m.SourceType, m.Source = string(h.Provenance.Via), h.Provenance.Via.SourceType(), trust.SourceWords(r, nil)
	m.CreatedAt, m.ValidFrom, m.ValidUntil = h.At.String(), h.ValidFrom.String(), h.ValidUntil.String()
	m.Author, m.Agent, m.Origin, m.Space = h.Author, h.Agent, string(h.Origin), h.Space
	m.Session, m.Trigger, m.Tags, m.About, m.Alias = h.Session, h.Trigger, h.Tags, h.About, h.Alias
	made, changed := core.SourceTimes(r)
	m.MadeThere, m.ChangedThere = made.String(), changed.String()
	if raw, ok := r.Body.(*memory.Raw); ok {
		m.OccurredAt = raw.OccurredAt.String()
	}
	memoryMarked(&m, it)
	return m
}

// marked shows what marks said of a goal, a drive or a playbook.
func memoryMarked(m *api.Memory, it *store.Item) {
	s := &it.State
	m.Course = CourseOf(it)
	if it.Ref.Kind == memory.KindPlaybook {
		m.Uses, m.Successes, m.SuccessRate = s.Uses, s.Successes, core.SuccessRate(s)
	}
}

// views shows items with how far they can be trusted.
func (e *Views) Views(ctx context.Context, items ...*store.Item) ([]api.Memory, error) {
	trusted, err := e.trust.Vouch(ctx, items, false)
	if err != nil {
		return nil, err
	}
	e.NoteShown("list", items, trusted)
	out := make([]api.Memory, len(items))
	for i, it := range items {
		out[i] = View(it)
		if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
			MemoryVouch(&out[i], v, it.Record)
		}
		if err := e.served(ctx, it, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// view shows one item with how far it can be trusted.
func (e *Views) View(ctx context.Context, it *store.Item) (api.Memory, error) {
	all, err := e.Views(ctx, it)
	if err != nil {
		return api.Memory{}, err
	}
	return all[0], nil
}

func MemoryVouch(m *api.Memory, v *trust.Vouched, r *memory.Record) {
	score := core.DecimalTrust(v.Score)
	m.Trust, m.Level, m.Actionable, m.Flags, m.WhyNot = &score, string(v.Level), v.Actionable, v.Flags, v.WhyNot()
	m.External, m.Tainted, m.Disputed = v.External, v.Tainted, v.Disputed
	m.Source = trust.SourceWords(r, v.Fallen)
	for _, ref := range r.Header.Provenance.From {
		if why := v.Fallen[ref.ID]; why != "" {
			m.Fallen = append(m.Fallen, api.Fallen{Ref: ref.String(), Why: why})
		}
	}
}

func refOrNone(k memory.Kind, id memory.ID) string {
	if id.IsZero() {
		return ""
	}
	return memory.Ref{Kind: k, ID: id}.String()
}

// inThousandths are the members of bodies that replies show as decimals.
var inThousandths = map[string]bool{"valence": true, "arousal": true, "intensity": true, "sentiment": true, "to": true, "step": true}

// speaker gives who said the words of a body, "" where it does not say.
func Speaker(b memory.Body) string {
	switch b := b.(type) {
	case *memory.Raw:
		return b.Speaker
	case *memory.Note:
		return b.Speaker
	}
	return ""
}

// content gives the members of a body.
func content(b memory.Body) map[string]any {
	raw, err := json.Marshal(b)
	if err != nil {
		return nil // a body that was read can be written
	}
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	decimals(m)
	return m
}

func decimals(m map[string]any) {
	for k, v := range m {
		switch v := v.(type) {
		case float64:
			if inThousandths[k] {
				m[k] = v / float64(memory.Certain)
			}
		case map[string]any:
			decimals(v)
		}
	}
}

// Show gives one record whole. It counts as an access.
func (e *Views) Show(ctx context.Context, in api.ShowRequest) (api.ShowReply, error) {
	it, err := e.Lookup(ctx, in.Ref)
	if err != nil {
		return api.ShowReply{}, err
	}
	trusted, err := e.trust.Vouch(ctx, []*store.Item{it}, false)
	if err != nil {
		return api.ShowReply{}, err
	}
	e.NoteShown("show", []*store.Item{it}, trusted)
	reply := api.ShowReply{Memory: View(it)}
	if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
		MemoryVouch(&reply.Memory, v, it.Record)
		reply.Upstream = v.Upstream
	}
	if err := e.served(ctx, it, &reply.Memory); err != nil {
		return reply, err
	}
	edges, err := e.Store.Edges(ctx, memory.Forward, it.Ref.ID)
	if err != nil {
		return reply, core.Sorted(err)
	}
	var derived, claims []memory.ID
	for _, edge := range edges {
		switch edge.Rel {
		case memory.DerivedFrom:
			derived = append(derived, edge.From)
		case memory.Speaks, memory.LinkSource, memory.LinkTarget:
			claims = append(claims, edge.From)
		}
	}
	items, err := e.Store.Get(ctx, append(derived, claims...)...)
	if err != nil {
		return reply, core.Sorted(err)
	}
	for _, d := range items[:len(derived)] {
		if d != nil {
			reply.DerivedInto = append(reply.DerivedInto, d.Ref.String())
		}
	}
	if it.Ref.Kind == memory.KindRaw {
		reply.ProcessedInto = reply.DerivedInto
	}
	for _, c := range items[len(derived):] {
		if c != nil && c.Record != nil {
			reply.Claims = append(reply.Claims, claim(c.Record))
		}
	}
	links := slices.DeleteFunc(core.Present(items[len(derived):]), func(it *store.Item) bool { return it.Ref.Kind != memory.KindLink })
	if reply.Links, err = e.LinkViews(ctx, links); err != nil {
		return reply, err
	}
	reply.Conditions = core.Conditions(it)
	if it.Record != nil && it.Record.HasCode() {
		stands, err := e.Stand(ctx, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := stands[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	e.Touch(ctx, it.Ref.ID)
	return reply, nil
}

func claim(r *memory.Record) api.Claim {
	return api.Claim{
		Ref: r.Ref().String(), Type: string(r.Header.Kind), Headline: r.Headline(), Author: r.Header.Author,
		At: r.Header.At.String(), Content: content(r.Body),
	}
}
