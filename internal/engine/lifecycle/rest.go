package lifecycle

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/clauses"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// restsOf makes memories of what else one says whose place another takes in part: each in the words of the old one,
// with its sources, and in the same act, which they name. It makes none where it is not plain what stays, where a
// person rejected that, or where others are about to say something about the old one.
func (e *Lifecycle) restsOf(
	ctx context.Context, old *store.Item, now string, act *memory.Record,
) (out []*memory.Record, err error) {
	rests := clauses.Rest(core.Compared(old.Record), now)
	if len(rests) == 0 {
		return nil, nil
	}
	open, err := e.standing.UndecidedAt(e.trust.Reading(ctx), memory.Time{}, []*store.Item{old})
	if err != nil {
		return nil, err
	}
	for _, o := range open[old.Ref.ID] {
		for _, end := range []*store.Item{o.OldItem, o.NewItem} {
			if end.Ref != old.Ref && end.Ref.ID != act.ID && len(clauses.Rest(core.Compared(old.Record),
				core.Compared(end.Record))) == 0 {
				return nil, nil // it may be about what stays
			}
		}
	}
	for _, text := range rests {
		r, err := e.restOf(old, text, act)
		if r == nil || err != nil {
			return nil, err
		}
		_, rejected, err := e.Rejected(ctx, r)
		if err != nil || rejected != nil && !rejected.Alike {
			return nil, err
		}
		same, err := e.sameBefore(ctx, r)
		if err != nil {
			return nil, err
		}
		if len(same) > 0 {
			continue // a memory says that already
		}
		out = append(out, r)
		if old.State.Review == state.ReviewApproved && e.isPerson() { // it says nothing that they did not approve
			marks, err := e.MarksIn(r.Header.Space, core.Marking{
				Verb: memory.Approve, Context: r.Header.Provenance.Context, At: e.C.Now(),
			}, []memory.Ref{r.Ref()})
			if err != nil {
				return nil, err
			}
			out = append(out, marks...)
		}
	}
	return out, nil
}

// restOf makes the memory of a part of what another says; nil of a kind that says more than one text. An agent's key
// signs it, whoever corrects: who corrects a part has not said the rest.
func (e *Lifecycle) restOf(old *store.Item, text string, act *memory.Record) (*memory.Record, error) {
	body := clone(old.Record.Body)
	switch b := body.(type) {
	case *memory.Note:
		if b.Body != "" && b.Body != b.Summary {
			return nil, nil
		}
		b.Summary, b.Body = text, ""
	case *memory.Belief:
		b.Statement = text
	default:
		return nil, nil
	}
	was := &old.Record.Header
	h := memory.Header{
		Origin: memory.OriginAgent, Space: e.SpaceOfBoth(old.Record, act), Session: was.Session,
		Confidence: old.State.Confidence, Tags: was.Tags,
		ValidFrom: was.ValidFrom, ValidUntil: was.ValidUntil, Trigger: was.Trigger,
		Ext: core.WithSaidAt(was.Ext, standing.Happened(old.Record)),
		Provenance: memory.Provenance{
			Via: memory.ViaRevision, From: []memory.Ref{old.Ref}, Run: was.Provenance.Run, Evidence: was.Provenance.Evidence,
			Context: core.ContextRest + act.Ref().String(),
		},
	}
	for _, name := range was.About {
		if strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
			h.About = append(h.About, name)
		}
	}
	r, _, err := e.SignClean(h, body)
	return r, err
}

// staying returns the refs of such memories among records, and says in words what they say.
func staying(rs []*memory.Record) (refs []string, words string) {
	var said []string
	for _, r := range rs {
		if _, is := core.RestAfter(r); is && r.Header.Kind.IsMemory() {
			refs = append(refs, r.Ref().String())
			said = append(said, r.Ref().Short()+" "+core.QuotedCut(core.Compared(r)))
		}
	}
	if len(said) == 0 {
		return nil, ""
	}
	return refs, "what else it said stays: " + strings.Join(said, ", ") + "; where that is no longer so either, " +
		"`correct` it too"
}

// staysIn fills in of a reply what stays of a memory whose place was taken in part.
func staysIn(reply *api.WriteReply, rs []*memory.Record) {
	refs, said := staying(rs)
	if len(refs) == 0 {
		return
	}
	if reply.Stays = refs; reply.Hint != "" {
		said = reply.Hint + "; " + said
	}
	reply.Hint = said
}
