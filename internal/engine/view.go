package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// tierOf is the tier of a memory as it stands with who looks. Where nobody asked how
// it stands, no evidence behind it counts.
func tierOf(it *store.Item) memory.Tier {
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
func view(it *store.Item) api.Memory {
	s := &it.State
	m := api.Memory{
		Ref: it.Ref.String(), Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Hidden: hidden(s),
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
	m.Tier, m.CodeRefs, m.Shelf = string(tierOf(it)), codeRefs(r), it.Shelf
	m.Supersedes, m.DerivedFrom = refStrings(h.Provenance.Supersedes), refStrings(h.Provenance.From)
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindEpisode {
			m.Episodes = append(m.Episodes, ref.String())
		}
	}
	m.CreatedVia, m.SourceType, m.Source = string(h.Provenance.Via), h.Provenance.Via.SourceType(), sourceWords(r, nil)
	m.CreatedAt, m.ValidFrom, m.ValidUntil = h.At.String(), h.ValidFrom.String(), h.ValidUntil.String()
	m.Author, m.Agent, m.Origin, m.Space = h.Author, h.Agent, string(h.Origin), h.Space
	m.Session, m.Trigger, m.Tags, m.About, m.Alias = h.Session, h.Trigger, h.Tags, h.About, h.Alias
	made, changed := sourceTimes(r)
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
	m.Course = courseOf(it)
	if it.Ref.Kind == memory.KindPlaybook {
		m.Uses, m.Successes, m.SuccessRate = s.Uses, s.Successes, successRate(s)
	}
}

// views shows items with how far they can be trusted.
func (e *Engine) views(ctx context.Context, items ...*store.Item) ([]api.Memory, error) {
	trusted, err := e.vouch(ctx, items, false)
	if err != nil {
		return nil, err
	}
	e.noteShown("list", items, trusted)
	out := make([]api.Memory, len(items))
	for i, it := range items {
		out[i] = view(it)
		if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
			memoryVouch(&out[i], v, it.Record)
		}
		if err := e.served(ctx, it, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// view shows one item with how far it can be trusted.
func (e *Engine) view(ctx context.Context, it *store.Item) (api.Memory, error) {
	all, err := e.views(ctx, it)
	if err != nil {
		return api.Memory{}, err
	}
	return all[0], nil
}

func memoryVouch(m *api.Memory, v *vouched, r *memory.Record) {
	score := decimalTrust(v.Score)
	m.Trust, m.Level, m.Actionable, m.Flags, m.WhyNot = &score, string(v.Level), v.actionable, v.Flags, v.whyNot()
	m.External, m.Tainted, m.Disputed = v.external, v.tainted, v.disputed
	m.Source = sourceWords(r, v.fallen)
	for _, ref := range r.Header.Provenance.From {
		if why := v.fallen[ref.ID]; why != "" {
			m.Fallen = append(m.Fallen, api.Fallen{Ref: ref.String(), Why: why})
		}
	}
}

// whyNot says in a few words why nobody should act on a memory without asking; ""
// if they may.
func (v *vouched) whyNot() string {
	switch {
	case v.actionable:
		return ""
	case v.doubt == store.Withheld:
		return "it cannot be verified here"
	case v.Level == trust.Rejected:
		return "its signature is wrong"
	case !v.state.Live():
		return "it is " + hidden(&v.state)
	case v.disputed && v.state.Disputes > 0:
		return "disputed"
	case v.over != "":
		return "it " + v.over
	case v.stranger && v.self:
		return "approved by its author alone"
	case v.stranger:
		return "approved by a stranger alone"
	case v.tainted:
		return "external and unconfirmed"
	case len(v.Flags) > 0:
		return strings.ReplaceAll(strings.Join(v.Flags, ", "), "_", " ")
	}
	return "nobody approved it"
}

// decimalTrust shows ten-thousandths.
func decimalTrust(n int) float64 { return float64(n) / trust.One }

func refOrNone(k memory.Kind, id memory.ID) string {
	if id.IsZero() {
		return ""
	}
	return memory.Ref{Kind: k, ID: id}.String()
}

// hidden says in a word why search and lists leave a record out; "" if they do
// not.
func hidden(s *memory.State) string {
	switch {
	case s.Purged:
		return "purged"
	case s.Forgotten:
		return "forgotten"
	case s.Quarantined:
		return "quarantined"
	case s.Review == memory.ReviewRejected:
		return "rejected"
	case !s.SupersededBy.IsZero():
		return "superseded"
	case s.Outranked:
		return "outranked"
	}
	return ""
}

// inThousandths are the members of bodies that replies show as decimals.
var inThousandths = map[string]bool{"valence": true, "arousal": true, "intensity": true, "sentiment": true, "to": true, "step": true}

// speaker gives who said the words of a body, "" where it does not say.
func speaker(b memory.Body) string {
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

// sourceWords says in words where a memory came from: "3 episodes", "1 note",
// "direct", or the channel of a raw. What does not stand any more is counted apart.
func sourceWords(r *memory.Record, fallen map[memory.ID]string) string {
	from := r.Header.Provenance.From
	if raw, ok := r.Body.(*memory.Raw); ok {
		return or(raw.Source, "direct")
	}
	if len(from) == 0 {
		switch r.Header.Provenance.Via {
		case memory.ViaTold:
			return "told"
		case memory.ViaImport:
			return "import"
		default:
			return "direct"
		}
	}
	count := make(map[memory.Kind]int)
	var order []memory.Kind
	for _, ref := range from {
		if fallen[ref.ID] != "" {
			continue
		}
		if count[ref.Kind] == 0 {
			order = append(order, ref.Kind)
		}
		count[ref.Kind]++
	}
	var parts []string
	for _, k := range order {
		parts = append(parts, plural(count[k], string(k)))
	}
	if len(fallen) > 0 {
		parts = append(parts, strconv.Itoa(len(fallen))+" no longer counts")
	}
	return strings.Join(parts, ", ")
}

// plural is "1 episode", "3 episodes", "2 entries" … for the kinds there are.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Show gives one record whole. It counts as an access.
func (e *Engine) Show(ctx context.Context, in api.ShowRequest) (api.ShowReply, error) {
	it, err := e.resolve(ctx, in.Ref)
	if err != nil {
		return api.ShowReply{}, err
	}
	trusted, err := e.vouch(ctx, []*store.Item{it}, false)
	if err != nil {
		return api.ShowReply{}, err
	}
	e.noteShown("show", []*store.Item{it}, trusted)
	reply := api.ShowReply{Memory: view(it)}
	if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
		memoryVouch(&reply.Memory, v, it.Record)
		reply.Upstream = v.upstream
	}
	if err := e.served(ctx, it, &reply.Memory); err != nil {
		return reply, err
	}
	edges, err := e.store.Edges(ctx, memory.Forward, it.Ref.ID)
	if err != nil {
		return reply, sorted(err)
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
	items, err := e.store.Get(ctx, append(derived, claims...)...)
	if err != nil {
		return reply, sorted(err)
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
	links := slices.DeleteFunc(present(items[len(derived):]), func(it *store.Item) bool { return it.Ref.Kind != memory.KindLink })
	if reply.Links, err = e.linkViews(ctx, links); err != nil {
		return reply, err
	}
	reply.Conditions = conditions(it)
	if it.Record != nil && it.Record.HasCode() {
		stands, err := e.stand(ctx, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := stands[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	e.touch(ctx, it.Ref.ID)
	return reply, nil
}

func claim(r *memory.Record) api.Claim {
	return api.Claim{
		Ref: r.Ref().String(), Type: string(r.Header.Kind), Headline: r.Headline(), Author: r.Header.Author,
		At: r.Header.At.String(), Content: content(r.Body),
	}
}
