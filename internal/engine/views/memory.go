package views

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// View shows an item with its rating: see trust.Rate, which puts into its state what counts.
func View(it *store.Item) api.Memory {
	s := &it.State
	m := api.Memory{
		Ref: it.Ref.String(), Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Hidden: core.Hidden(s),
		IsActive: s.Active(), SupersededBy: refOrNone(it.Ref.Kind, s.SupersededBy), Protected: s.Protected,
		LastVerified: s.Verified.String(), VerificationCount: s.Verifications, Review: string(s.Review),
		ReviewedAt: s.ReviewedAt.String(),
		ReviewedBy: s.ReviewedBy, Doubt: string(it.Doubt),
	}
	r := it.Record
	if r == nil {
		m.Headline = standing.PurgedText
		return m
	}
	h := &r.Header
	m.Headline, m.Content = r.Headline(), content(r.Body)
	m.Confidence, m.ConfidenceAsserted = s.Confidence.Float(), h.Confidence.Float()
	m.Tier, m.CodeRefs, m.Store = string(TierOf(it)), core.CodeRefs(r), it.Store
	m.Supersedes, m.DerivedFrom = core.RefStrings(h.Provenance.Supersedes), core.RefStrings(h.Provenance.From)
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindEpisode {
			m.SourceEpisodes = append(m.SourceEpisodes, ref.String())
		}
	}
	m.CreatedVia, m.SourceType, m.Source = string(
		h.Provenance.Via,
	), h.Provenance.Via.SourceType(), trust.SourceWords(
		r,
		nil,
	)
	m.At = standing.At(r)
	m.CreatedAt, m.ValidFrom, m.ValidUntil = h.At.String(), h.ValidFrom.String(), h.ValidUntil.String()
	m.Author, m.Agent, m.Origin, m.Space = h.Author, h.Agent, string(h.Origin), h.Space
	m.Session, m.Trigger, m.Tags, m.About, m.Alias = h.Session, h.Trigger, h.Tags, h.About, aliases(h.Alias)
	made, changed := core.SourceTimes(r)
	m.SourceCreatedAt, m.SourceUpdatedAt = made.String(), changed.String()
	if raw, ok := r.Body.(*memory.Raw); ok {
		m.OccurredAt = raw.OccurredAt.String()
	} else {
		m.Text = standing.Beyond(r)
	}
	memoryMarked(&m, it)
	return m
}

// aliases puts what a source called a record before the names that an import made of its content.
func aliases(all []string) []string {
	made := func(a string) int { return min(strings.Index(a, ":="), 0) }
	return slices.SortedStableFunc(slices.Values(all), func(a, b string) int { return cmp.Compare(made(a), made(b)) })
}

func refOrNone(k memory.Kind, id memory.ID) string {
	if id.IsZero() {
		return ""
	}
	return memory.Ref{Kind: k, ID: id}.String()
}

// content returns the members of a body.
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

// typeOf returns the member "type" of a body, "" if it has none.
func typeOf(b memory.Body) string {
	switch b := b.(type) {
	case *memory.Raw:
		return ""
	case *memory.Note:
		return b.Type
	case *memory.Belief:
		return b.Type
	}
	of, _ := content(b)["type"].(string)
	return of
}

// TierOf returns the tier of a memory for the reader of this store. Without a rating, no
// evidence behind it counts.
func TierOf(it *store.Item) state.Tier {
	if it.Tier != nil {
		return *it.Tier
	}
	if it.Record == nil {
		return state.NoTier
	}
	s := it.State
	s.AnyRaw, s.ReachesRaw = false, false
	return state.TierOf(it.Record, &s)
}

// memoryMarked shows what marks said of a memory.
func memoryMarked(m *api.Memory, it *store.Item) {
	s := &it.State
	m.Course = CourseOf(it)
	if it.Ref.Kind.Form().Served {
		m.Uses, m.Successes, m.SuccessRate = s.Uses, s.Successes, core.SuccessRate(s)
	}
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

// inThousandths are the members of bodies that replies show as decimals.
var inThousandths = decimalMembers()

func decimalMembers() map[string]bool {
	names := map[string]bool{"to": true, "step": true} // of an assessment
	for _, k := range core.Drafted() {
		for _, f := range k.Form().Fields {
			names[f.Name] = names[f.Name] || f.Decimal()
		}
	}
	return names
}
