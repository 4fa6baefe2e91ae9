package engine

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// result shows what was found.
func (s *searching) result(f *found) api.Result {
	m := view(f.Item)
	memoryVouch(&m, f.vouched, f.Record)
	r := api.Result{
		Ref: m.Ref, Type: m.Type, ID: m.ID, Text: m.Headline, Score: thousandth(f.factors.Score()), Factors: f.factors,
		Confidence: m.Confidence, Tier: m.Tier, Origin: m.Origin, Hidden: m.Hidden, CreatedAt: m.CreatedAt,
		Trust: decimalTrust(f.vouched.Score), Level: string(f.vouched.Level), Actionable: f.vouched.actionable, Tainted: f.vouched.tainted,
		External: m.External, Disputed: m.Disputed, Review: m.Review, WhyNot: m.WhyNot, Doubt: m.Doubt,
		OccurredAt: m.OccurredAt, Session: m.Session, Shelf: m.Shelf, Alias: m.Alias,
		Wording: refStrings(f.wording), Marks: f.marks, Course: m.Course,
	}
	if f.inherits != "" && r.Hidden == "" {
		r.Hidden = f.inherits
	}
	if !f.until.IsZero() {
		r.Until = memory.At(f.until).String()
		r.Hidden = "" // it is asked what held then
	}
	switch b := f.Record.Body.(type) {
	case *memory.Raw:
		r.Speaker = b.Speaker
	case *memory.Note:
		r.Speaker = b.Speaker
	}
	if s.in.IncludeProvenance {
		r.Source, r.From = m.Source, fromWords(f.Record, f.vouched.fallen)
	}
	if s.in.Explain {
		r.Why = s.why(f)
	}
	return r
}

// why says what made up a relevance.
func (s *searching) why(f *found) *api.Why {
	w := &api.Why{Cosine: thousandth(f.c.Cosine), Graph: thousandth(f.c.Graph), Wording: thousandth(f.c.Wording), Question: s.terms}
	if f.c.Graph > 0 {
		w.GraphBy = s.lender(f.c.From).Short()
	}
	if h, ok := s.hits[f.Ref.ID]; ok && h.Score > 0 {
		part := 1 / s.bestHit
		if s.embedder == "" { // words alone are what the graph did not lend
			part = (f.c.Relevance - f.c.Graph) / h.Score
		}
		w.Own, w.Lent, w.Shared = thousandth(h.Own*part), thousandth(h.Lent*part), thousandth(h.Session*part)
		w.Terms = h.Terms
	}
	return w
}

// lender names who lent along the graph, whether it was read or not.
func (s *searching) lender(id memory.ID) memory.Ref {
	if ref, read := s.refs[id]; read {
		return ref
	}
	return memory.Ref{Kind: s.hits[id].Kind, ID: id}
}

// thousandth rounds to what people read.
func thousandth(f float64) float64 {
	const places = 1000
	if f < 0 {
		return -thousandth(-f)
	}
	return float64(int(f*places+0.5)) / places
}

// fromWords says where a memory came from as a search shows it: "3 episodes via
// consolidation", "raw:aaa111", "belief:abc123 (inference)".
func fromWords(r *memory.Record, fallen map[memory.ID]string) string {
	p := &r.Header.Provenance
	switch {
	case len(p.From) == 0:
		return sourceWords(r, nil)
	case len(p.From) > 1:
		return sourceWords(r, fallen) + " via " + p.Via.SourceType()
	case p.Via == memory.ViaPromote:
		return p.From[0].Short()
	default:
		return p.From[0].Short() + " (" + p.Via.SourceType() + ")"
	}
}
