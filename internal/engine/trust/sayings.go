package trust

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Verdict is a witness's statement with the record it is.
type Verdict struct {
	score.Verdict
	record *memory.Record
	Upheld bool // the one who looks decided that it is right
	agent  bool // an agent says so of what its owner, or another of their agents, wrote
}

// resolved says what the one who looks decided of a verdict; "" is nothing.
func (w *Verdict) resolved() string {
	switch {
	case w.Rejected:
		return "rejected"
	case w.Upheld:
		return "upheld"
	}
	return ""
}

// sayings are what witnesses and anchors say of some records.
type sayings struct {
	Verdicts map[memory.ID][]Verdict
	Anchors  map[memory.ID][]anchored
}

// anchored is an anchor with the record it is and its last check.
type anchored struct {
	score.Anchor
	Record  *memory.Record
	Why     string
	Checked time.Time
}

// said gathers the witnesses and anchors of items: of the first ones every one, of the others those that may count.
func (v *Context) said(rd *Reading, items []*store.Item, every int) (*sayings, error) {
	out := &sayings{Verdicts: make(map[memory.ID][]Verdict), Anchors: make(map[memory.ID][]anchored)}
	subjects := make(map[memory.ID]*store.Item)
	var ids []memory.ID
	for i, it := range items {
		st := &it.State
		if subjects[it.Ref.ID] == nil && it.Record != nil && (i < every ||
			st.Confirms+st.Disputes+st.Partials+st.Anchors > 0 || !st.Due.IsZero()) {
			subjects[it.Ref.ID] = it
			ids = append(ids, it.Ref.ID)
		}
	}
	claims, err := rd.Speaking(ids, memory.KindWitness, memory.KindAnchor)
	if err != nil || len(claims) == 0 {
		return out, err
	}
	about := make([]memory.ID, len(claims))
	for i, c := range claims {
		about[i] = c.Ref.ID
	}
	further, err := rd.Speaking(about, memory.KindMark, memory.KindVerify)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		switch b := c.Record.Body.(type) {
		case *memory.Witness:
			if subject := subjects[b.Of.ID]; subject != nil {
				out.Verdicts[b.Of.ID] = append(out.Verdicts[b.Of.ID], v.Verdict(c.Record, b, v.Controller(subject.Record), further))
			}
		case *memory.Anchor:
			if subject := subjects[b.Of.ID]; subject != nil {
				out.Anchors[b.Of.ID] = append(out.Anchors[b.Of.ID], v.anchored(c, b, subject.Record, further))
			}
		}
	}
	return out, nil
}

// Speaking returns the records of some kinds that speak of ids, each once.
func (rd *Reading) Speaking(ids []memory.ID, kinds ...memory.Kind) ([]*store.Item, error) {
	s := rd.scores.Store
	if d, ok := store.Plain(s).(interface {
		OnlyMarks(ctx context.Context, id memory.ID) bool
	}); ok && !slices.Contains(kinds, memory.KindMark) {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool { return d.OnlyMarks(rd, id) })
	}
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := s.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var from []memory.ID
	seen := make(map[memory.ID]bool)
	for _, edge := range edges {
		if edge.Rel == graph.Speaks && !seen[edge.From] {
			seen[edge.From] = true
			from = append(from, edge.From)
		}
	}
	items, err := rd.Get(from...)
	if err != nil {
		return nil, core.Classify(err)
	}
	return slices.DeleteFunc(items, func(it *store.Item) bool {
		return it == nil || it.Record == nil || !slices.Contains(kinds, it.Ref.Kind)
	}), nil
}

// AheadBy is how far a witness's clock may be ahead of ours.
const AheadBy = 5 * time.Minute

// Verdict reads one witness. The reader's own decisions about it apply only to the reader.
func (v *Context) Verdict(r *memory.Record, b *memory.Witness, about string, further []*store.Item) Verdict {
	out := Verdict{record: r, Verdict: score.Verdict{ID: r.ID, Says: b.Attestation, At: r.Header.At}}
	voice, fault := v.Ring.Judge(r)
	out.Controller = voice.Principal
	switch {
	case fault != state.Sound:
		out.Controller, out.Refused = voice.Principal, core.FaultWords(fault)
	case !voice.Owner && voice.Principal != "" && (voice.Principal == about || voice.Principal == v.Root):
		out.agent = true // the reader's, or one of the author's
		out.Refused = "it is from an agent, not a person"
	case r.Header.At.Time().After(v.now.Add(AheadBy)):
		out.Refused = "dated ahead: counts from " + memory.At(r.Header.At.Time().Add(-AheadBy)).String()
	}
	var latest *memory.Record
	for _, m := range further {
		mark, ok := m.Record.Body.(*memory.Mark)
		if !ok || mark.Verb != memory.Approve && mark.Verb != memory.Reject || !names(memory.Subjects(mark), r.ID) {
			continue
		}
		if by := v.Ring.Voice(m.Record); !by.Owner || by.Principal != v.Root {
			continue
		}
		if latest == nil || latest.Header.At.Time().Before(m.Record.Header.At.Time()) {
			latest = m.Record
			out.Rejected, out.Upheld = mark.Verb == memory.Reject, mark.Verb == memory.Approve
		}
	}
	return out
}

func names(refs []memory.Ref, id memory.ID) bool {
	return slices.ContainsFunc(refs, func(r memory.Ref) bool { return r.ID == id })
}
