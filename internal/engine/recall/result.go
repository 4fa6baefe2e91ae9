package recall

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// result shows what was found.
func (s *searching) result(f *standing.Found) api.Result {
	m := views.View(f.Item)
	views.ShowRating(&m, f.Rating, f.Record)
	r := api.Result{
		Ref: m.Ref, Type: m.Type, ID: m.ID, Text: whole(f.Record),
		Score: core.Thousandth(rank.Score(f.Factors)), Factors: f.Factors,
		Confidence: m.Confidence, Tier: m.Tier, Origin: m.Origin, Hidden: m.Hidden, CreatedAt: m.CreatedAt,
		Trust: core.DecimalTrust(f.Rating.Score), Level: string(f.Rating.Level), Actionable: f.Rating.Actionable,
		Tainted: f.Rating.Tainted, NoLongerCounts: len(f.Rating.Fallen),
		External: m.External, Unverified: m.Unverified, By: m.By,
		Disputed: m.Disputed, Review: m.Review, NotActionable: m.NotActionable, Doubt: m.Doubt,
		At: standing.At(f.Record), OccurredAt: m.OccurredAt, Session: m.Session, Store: m.Store, Alias: m.Alias,
		Wording: core.RefStrings(f.Wording), Marks: resultMarks(f, nil, ""), Course: m.Course,
		Weak: s.fit(f) == fitWeak, Perhaps: s.fit(f) == fitPerhaps || s.fit(f) == fitNone,
	}
	if f.Inherits != "" && r.Hidden == "" {
		r.Hidden = f.Inherits
	}
	if f.Rating.Ended() != "" && f.Record != nil {
		r.Until = f.Record.Header.ValidUntil.String()
	}
	if !f.Until.IsZero() {
		r.Until = memory.At(f.Until).String()
		r.Hidden = "" // it is asked what held then
	}
	switch b := f.Record.Body.(type) {
	case *memory.Raw:
		r.Speaker = b.Speaker
	case *memory.Note:
		r.Speaker = b.Speaker
	}
	if s.gathers != nil && f.Record != nil {
		r.Group = groupOf(f.Record)
	}
	if s.in.IncludeProvenance {
		r.Source, r.From = m.Source, standing.FromWords(f.Record, f.Rating)
	}
	if s.in.Explain {
		r.Why = s.why(f)
	}
	return r
}

// whole is all that a record says.
func whole(r *memory.Record) string {
	if r == nil {
		return standing.PurgedText
	}
	return standing.Whole(r)
}

// resultMarks are the marks of what was found: those of each reading, as of the time that is asked for.
func resultMarks(f *standing.Found, open []string, code code.State) []string {
	d := standing.Settled{Marks: f.Marks, Open: open}
	if f.Settled != nil && open == nil {
		d.Open = f.Settled.Open
	}
	all := views.Marks(f.Item, f.Rating, &d, code)
	if !f.Until.IsZero() {
		all = views.HeldThen(all, core.Day(memory.At(f.Until)))
	}
	return all
}

// codeStates returns the state of the code that records name. What it was at another time is not known.
func (s *searching) codeStates(rd *trust.Reading, items []*store.Item) (map[memory.ID]code.State, error) {
	if !s.keep.AsOf.IsZero() {
		return nil, nil
	}
	return s.e.views.MarkedCode(rd, items)
}

// why says what made up a relevance.
func (s *searching) why(f *standing.Found) *api.Why {
	w := &api.Why{
		Cosine: core.Thousandth(f.C.Cosine), Graph: core.Thousandth(f.C.Graph),
		Wording: core.Thousandth(f.C.Wording), Question: s.terms,
	}
	if f.C.Graph > 0 {
		w.GraphBy = s.propagatedFrom(f.C.From).Short()
	}
	found := f.C.Relevance - f.C.Graph // what the graph did not propagate
	w.Meaning = core.Thousandth(found * f.C.Meaning)
	if h, ok := s.hits[f.Ref.ID]; ok && h.Score > 0 {
		part := found * (1 - f.C.Meaning) / h.Score
		w.Own, w.Propagated, w.Shared = core.Thousandth(
			h.Own*part,
		), core.Thousandth(
			h.Propagated*part,
		), core.Thousandth(
			h.Session*part,
		)
		w.Terms = h.Terms
	}
	return w
}

// propagatedFrom names the record whose score reached a hit along the graph, whether it was read or not.
func (s *searching) propagatedFrom(id memory.ID) memory.Ref {
	if ref, read := s.refs[id]; read {
		return ref
	}
	return memory.Ref{Kind: s.hits[id].Kind, ID: id}
}
