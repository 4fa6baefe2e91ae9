package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Drafting makes records of drafts by rules or a model. They are signed with the agent's key
// whoever runs the job: no person has approved them yet.
type Drafting struct {
	E       *Lifecycle
	Run     string
	Space   string
	session string
	Via     memory.Via
	By      string        // rules, or a model
	Sources []*store.Item // what drafts cite by number
	again   bool          // although a person rejected the same
	why     string        // the reason that the author of the words gave

	replaces *store.Item // what the next draft takes the place of; nil is nothing
}

// Add makes the record of one draft, unless the same was made of the same sources
// before.
func (d *Drafting) Add(ctx context.Context, out *Outcome, draft extract.Draft, about []string) error {
	draft.Reason = core.Or(draft.Reason, d.why)
	body := draft.Memory()
	if body == nil {
		return nil
	}
	h := memory.Header{
		Origin: memory.OriginAgent, Space: d.Space, Session: d.session, Confidence: draft.Confidence, About: draft.About,
		ValidFrom:  draft.ValidFrom,
		Provenance: memory.Provenance{Via: d.Via, Run: d.Run, Context: core.Or(draft.Rule, "draft") + " by " + d.By},
	}
	if draft.Kind != memory.KindNote { // only a note has a reason of its own
		h.Trigger = d.why
	}
	if said := &d.Sources[0].Record.Header; d.Via == memory.ViaInference {
		h.ValidUntil = said.ValidUntil // of what was to be remembered its author says how long it holds
	}
	if err := d.ofThePerson(&h, body); err != nil {
		return err
	}
	h.Provenance.Context = shorten.To(h.Provenance.Context, memory.MaxNameBytes)
	if d.Via == memory.ViaConsolidate {
		h.Provenance.Batch = d.Run
	}
	for _, name := range about {
		if !slices.Contains(h.About, name) {
			h.About = append(h.About, name)
		}
	}
	for _, n := range draft.From {
		if n < 0 || n >= len(d.Sources) {
			return nil
		}
		if ref := d.Sources[n].Ref; !slices.Contains(h.Provenance.From, ref) {
			h.Provenance.From = append(h.Provenance.From, ref)
			if d.Via == memory.ViaInference && d.Sources[n].Record.Header.Provenance.Context == core.ContextRemember {
				h.Provenance.Evidence = union(h.Provenance.Evidence, d.Sources[n].Record.Header.Provenance.Evidence)
			}
		}
	}
	if len(h.Provenance.From) == 0 {
		return nil
	}
	if old := d.replaces; old != nil {
		h.Provenance.From = append(h.Provenance.From, old.Ref)
		h.Provenance.Supersedes = []memory.Ref{old.Ref}
	}
	h.Ext = core.WithSaidAt(nil, d.saidAt(draft.From))
	if err := d.E.exposeDraft(ctx, &h, memory.Whole(body), d.Sources, draft.From); err != nil {
		return err
	}
	before, err := d.madeBefore(ctx, h.Provenance.From, body)
	if err != nil || before {
		return err
	}
	r, _, err := d.E.SignClean(h, body)
	if err != nil {
		out.skipped++
		out.note = "left out: " + core.OneLine(err)
		return nil
	}
	unsaid, err := d.unsaid(ctx, r)
	if err != nil {
		return err
	}
	if kept, err := d.knownAlready(ctx, out, r, d.Sources[draft.From[0]]); kept || err != nil {
		return err
	}
	out.Records, out.unsaid = append(out.Records, r), append(out.unsaid, unsaid)
	if d.replaces != nil {
		out.expect = append(out.expect, d.replaces.Ref.ID)
	}
	return nil
}

// ofThePerson has what is about the person lie in their own space, where the words were said in a project.
func (d *Drafting) ofThePerson(h *memory.Header, body memory.Body) error {
	me, err := d.E.OwnKeys()
	if err != nil {
		return err
	}
	if here, err := d.E.WriteSpace(me.Principal); err != nil || here != h.Space {
		return nil
	}
	h.Space, err = d.E.SpaceOfNew(me.Principal, memory.KindOf(body), h.About)
	return err
}

// saidAt returns when the newest of the words was said that a draft rests on; the zero time where that is now.
func (d *Drafting) saidAt(from []int) (at time.Time) {
	for _, n := range from {
		r := d.Sources[n].Record
		raw, ok := r.Body.(*memory.Raw)
		if !ok || r.Header.Provenance.Context == core.ContextRemember && raw.OccurredAt.IsZero() {
			return time.Time{}
		}
		if said := standing.Happened(r); said.After(at) {
			at = said
		}
	}
	if !at.Before(d.E.C.Now()) {
		return time.Time{}
	}
	return at
}

// knownAlready marks what a draft says that a person rejected, or that a current
// memory says already: then no memory is made.
func (d *Drafting) knownAlready(ctx context.Context, out *Outcome, r *memory.Record, words *store.Item) (bool, error) {
	var of *store.Item
	if !d.again {
		it, rejection, err := d.E.Rejected(ctx, r)
		if err != nil {
			return false, err
		}
		if rejection != nil {
			rejection.Raw = words.Ref.String()
			out.rejected = append(out.rejected, *rejection)
			if !rejection.Alike {
				of = it
			}
		}
	}
	if of == nil {
		it, err := d.E.saidBefore(ctx, r, words.Record.Header.Origin)
		if it == nil || err != nil {
			return false, err
		}
		of = it
		out.said = append(out.said, sayingAgain{it.Ref.ID, words.Ref})
		out.expect = append(out.expect, it.Ref.ID)
	}
	mark, err := d.E.SaidMark(of, words.Ref, d.By)
	if err != nil {
		return false, err
	}
	out.Records = append(out.Records, mark)
	return true, nil
}

// unsaid asks that no other session has written a memory that says the same as a new one, from now on: several may keep
// one prompt at one moment, and none of them sees what the others have not stored.
func (d *Drafting) unsaid(ctx context.Context, r *memory.Record) (store.Saying, error) {
	out := store.Saying{
		Space: r.Header.Space, Kind: r.Header.Kind,
		Is: func(o *memory.Record) bool {
			return o.ID != r.ID && standing.SameMemory(&store.Item{Record: o}, &store.Item{Record: r})
		},
	}
	for it, err := range d.E.Store.List(ctx, store.Query{
		Kinds: []memory.Kind{out.Kind}, Spaces: []string{out.Space}, Hidden: true, Limit: 1,
	}) {
		if err != nil {
			return out, core.Classify(err)
		}
		out.After = it.Seq
	}
	return out, nil
}

// madeBefore reports whether a memory of the same kind and words was made of
// exactly these sources, whatever became of it: what a person rejected is not
// proposed again.
func (d *Drafting) madeBefore(ctx context.Context, from []memory.Ref, body memory.Body) (bool, error) {
	made, err := d.E.DerivedFrom(ctx, from[0].ID)
	if err != nil {
		return false, err
	}
	for _, it := range made {
		if it.Record != nil && it.Ref.Kind == memory.KindOf(body) && standing.SameBody(it.Record.Body, body) &&
			SameRefs(it.Record.Header.Provenance.From, from) {
			return true, nil
		}
	}
	return false, nil
}
