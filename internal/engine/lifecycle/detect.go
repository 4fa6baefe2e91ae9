package lifecycle

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Detecting is the body of a job of that task.
type Detecting struct {
	New   memory.Ref   `json:"new"`
	Shown []memory.Ref `json:"shown,omitempty"` // what the caller was asked to judge
	With  []memory.Ref `json:"with,omitempty"`  // what it is compared with; none is what is like it
}

// keepJudging is how long a comparison waits for the caller's judgement before the
// jobs do it.
const keepJudging = 24 * time.Hour

// CompareLater leaves the comparison of new memories to jobs. If the caller judges, memories
// with candidates wait a day for the caller.
func (w *Working) CompareLater(ctx context.Context, out *Outcome, judge bool) error {
	for _, r := range out.Records {
		if !IsCompared(r) {
			continue
		}
		d := Detecting{New: r.Ref()}
		if judge {
			found, err := w.E.candidatesBut(ctx, nil, r, nil)
			if err != nil {
				return err
			}
			for _, it := range found {
				d.Shown = append(d.Shown, it.Ref)
			}
		}
		j, err := w.E.NewJob(TaskDetect, "detect/"+r.ID.String(), r.Header.Space, d)
		if err != nil {
			return err
		}
		if len(d.Shown) > 0 {
			j.Due = j.Due.Add(keepJudging)
			out.held = append(out.held, j.Key)
		}
		out.Jobs = append(out.Jobs, j)
	}
	return nil
}

// olderOf returns the memories to compare a new one with: those that were named, as far as they are current and not
// linked with it, or else its candidates.
func (e *Lifecycle) olderOf(
	ctx context.Context, l *looked, r *memory.Record, with []memory.Ref,
) ([]*store.Item, error) {
	if len(with) == 0 {
		return e.candidatesBut(ctx, l, r, nil)
	}
	linked, err := e.linkedWith(ctx, l, r.ID)
	if err != nil {
		return nil, err
	}
	items, err := e.Store.Get(ctx, core.IDsOf(with)...)
	return slices.DeleteFunc(core.Present(items), func(it *store.Item) bool {
		return !it.State.Live() || linked[it.Ref.ID]
	}), core.Classify(err)
}

// candidatesBut returns the memories to compare a new one with: current ones of the same space with words or names in
// common, the most similar first. Memories of the same run, of its lineage, or compared with it before are left out,
// and those that skip names.
func (e *Lifecycle) candidatesBut(
	ctx context.Context, l *looked, r *memory.Record, skip func(*store.Item) bool,
) ([]*store.Item, error) {
	items, hits, err := e.alike(ctx, l, r, false)
	if err != nil {
		return nil, err
	}
	all, err := e.comparable(ctx, l, r, items, hits, e.shown(), skip)
	if err != nil {
		return nil, err
	}
	return e.behindTwins(ctx, l, r, all)
}

// Comparing makes what a detector sees of items, and says which came from outside.
func (e *Lifecycle) Comparing(ctx context.Context, items ...*store.Item) ([]evolve.Memory, error) {
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), items, false)
	if err != nil {
		return nil, err
	}
	out := seenOf(items)
	for i, it := range items {
		if v := trusted[it.Ref.ID]; v != nil {
			out[i].External = v.Tainted
		}
	}
	return out, nil
}

// detect compares a new memory with older ones.
func (w *Working) detect(ctx context.Context, j *store.Job) (Outcome, error) {
	var d Detecting
	if err := readBody(j, &d); err != nil {
		return Outcome{}, err
	}
	it, err := w.E.One(ctx, d.New.ID)
	if err != nil || it == nil || !it.State.Live() {
		return Outcome{note: "it is not shown any more"}, err
	}
	w.like = newLooked()
	now, again, err := w.E.replacedByPerson(ctx, it.Record)
	if err != nil {
		return Outcome{}, err
	}
	if again == nil {
		if now, again, err = w.E.saidSince(ctx, it.Record); err != nil {
			return Outcome{}, err
		}
	}
	if again != nil {
		out := Outcome{expect: []memory.ID{it.Ref.ID, now.Ref.ID}}
		return out, w.E.Relate(ctx, &out, it, now, again, memory.OriginAgent)
	}
	old, err := w.E.olderOf(ctx, w.like, it.Record, d.With)
	if err != nil {
		return Outcome{}, err
	}
	decided, against, err := w.decided(ctx, it)
	if err != nil {
		return Outcome{}, err
	}
	if len(old) == 0 && against == nil {
		marks, err := w.E.saidOtherwiseBy(ctx, w.like, it)
		return Outcome{note: "no older memory is like it", Records: marks}, err
	}
	new, found, note, err := w.relation(ctx, j, it, old)
	if err != nil {
		return Outcome{}, err
	}
	if found == nil && against == nil {
		marks, err := w.E.saidOtherwiseBy(ctx, w.like, it)
		return Outcome{note: core.Or(note, "similar memories found; no update or conflict"), Records: marks}, err
	}
	out := Outcome{note: note, expect: []memory.ID{it.Ref.ID}}
	relate := func(old *store.Item, r *evolve.Relation) error {
		out.expect = append(out.expect, old.Ref.ID)
		if standing.Happened(old.Record).After(standing.Happened(it.Record)) && r.Detector == evolve.RulesVersion {
			return w.relateBack(ctx, &out, it, old)
		}
		return w.E.Relate(ctx, &out, it, old, r, memory.OriginAgent)
	}
	if found != nil {
		if err := relate(old[found.Candidate], found); err != nil {
			return Outcome{}, err
		}
		for i, o := range old { // others that say what this one says
			if i == found.Candidate || found.Detector != evolve.RulesVersion {
				continue
			}
			r := evolve.Allowed(evolve.Rules(new, seenOf(old[i:i+1])), new, 1)
			if !r.SameChange(found) {
				continue
			}
			if err := relate(o, r); err != nil {
				return Outcome{}, err
			}
		}
	}
	if against != nil && !slices.Contains(out.expect, decided.Ref.ID) {
		if err := relate(decided, against); err != nil {
			return Outcome{}, err
		}
	}
	return out, nil
}

// relateBack makes the link where the words of a new memory were said before those of the one it was compared with: it
// is the older of the two.
func (w *Working) relateBack(ctx context.Context, out *Outcome, it, later *store.Item) error {
	new, err := w.E.Comparing(ctx, later)
	if err != nil {
		return err
	}
	r := evolve.Allowed(evolve.Rules(new[0], seenOf([]*store.Item{it})), new[0], 1)
	if r == nil {
		return nil
	}
	return w.E.Relate(ctx, out, later, it, r, memory.OriginAgent)
}

// decided finds by rules the decision of a person that an agent's new memory goes against: whatever else it is more
// like. A model is asked about all that is like it.
func (w *Working) decided(ctx context.Context, new *store.Item) (*store.Item, *evolve.Relation, error) {
	if w.E.LLM != nil && !w.order.rules || !states(new.Record) {
		return nil, nil, nil
	}
	base, err := w.E.trust.Reading(ctx).Voices()
	if err != nil || base.PersonSays(new) {
		return nil, nil, err
	}
	return w.E.decidedOtherwise(ctx, w.like, new)
}

// relation asks the model, or the rules if there is no model. It returns what it compared too.
func (w *Working) relation(
	ctx context.Context, j *store.Job, it *store.Item, items []*store.Item,
) (new evolve.Memory, found *evolve.Relation, note string, err error) {
	rules, apart := w.E.LLM == nil || w.order.rules, (*evolve.Relation)(nil)
	if new = standing.Seen(it.Record); rules { // none is rated for rules: only a model is told which came from outside
		found = evolve.Rules(new, seenOf(items))
		outside := new
		outside.External = true
		if apart = evolve.Rules(outside, seenOf(items)); found == nil && apart == nil {
			return new, nil, "", nil // where it came from matters only where something is found
		}
	}
	all, err := w.E.Comparing(ctx, it)
	if err != nil {
		return new, nil, "", err
	}
	if new = all[0]; rules {
		if new.External {
			found = apart
		}
		return new, found, "", nil
	}
	found, note, err = w.asked(ctx, j, new, items)
	return new, found, note, err
}

// asked asks the model.
func (w *Working) asked(
	ctx context.Context, j *store.Job, new evolve.Memory, items []*store.Item,
) (*evolve.Relation, string, error) {
	old, err := w.E.Comparing(ctx, items...)
	if err != nil {
		return nil, "", err
	}
	answer, err := w.E.Ask(ctx, evolve.Ask(new, old, w.E.C.Seed))
	if err == nil {
		var r *evolve.Relation
		if r, err = evolve.Read(answer, new, len(old)); err == nil {
			if r != nil {
				r.Model, r.Seed = shorten.To(w.E.LLM.Model(), memory.MaxNameBytes), w.E.C.Seed
			}
			return r, "", nil
		}
		w.E.Failed(ctx, err)
	}
	switch {
	case w.retry(j, err):
		return nil, "", err
	case errors.Is(err, llm.ErrUnavailable):
		return evolve.Allowed(evolve.Rules(new, old), new, len(old)), "compared by rules: " + core.OneLine(err), nil
	}
	return nil, "not compared: " + core.OneLine(err), nil
}

// Relate makes the link for a relation.
func (e *Lifecycle) Relate(
	ctx context.Context, out *Outcome, new, old *store.Item, r *evolve.Relation, origin memory.Origin,
) error {
	sure, err := memory.ParseConfidence(float64(int(r.Confidence*1000+0.5)) / 1000)
	if err != nil {
		return err
	}
	h := memory.Header{
		Origin: origin, Space: new.Record.Header.Space, Confidence: sure, Session: new.Record.Header.Session,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "detect"},
	}
	applies, err := e.appliesAtOnce(ctx, new, old, r)
	if err != nil {
		return err
	}
	if applies {
		h.Provenance.Context = state.ByPolicy
	}
	link, err := e.Sign(h, &memory.Link{
		Source: old.Ref, Target: new.Ref, Relation: r.Type, Reason: r.Reason, Detector: r.Detector, Model: r.Model,
		Prompt: r.Prompt, Seed: r.Seed,
	})
	if err != nil {
		return err
	}
	out.Records = append(out.Records, link)
	return nil
}
