package lifecycle

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// extractJobs returns the job that drafts memories of a raw, and with refine the one that
// has a model draft them again.
func (e *Lifecycle) extractJobs(x extracting, space string, refine bool) ([]store.Job, error) {
	x.Rules = refine
	first, err := e.NewJob(taskExtract, "extract/"+x.Raw.String(), space, x)
	if err != nil || !refine {
		return []store.Job{first}, err
	}
	x.Rules, x.Refine = false, true
	second, err := e.NewJob(taskExtract, "refine/"+x.Raw.String(), space, x)
	return []store.Job{first, second}, err
}

// extract drafts memories of what was to be remembered.
func (w *Working) extract(ctx context.Context, j *store.Job) (Outcome, error) {
	var x extracting
	if err := readBody(j, &x); err != nil {
		return Outcome{}, err
	}
	it, err := w.E.One(ctx, x.Raw)
	if err != nil || it == nil || !it.State.Live() {
		return Outcome{note: "the words are not shown any more"}, err
	}
	raw, ok := it.Record.Body.(*memory.Raw)
	if !ok || raw.Said() == "" {
		return Outcome{note: "there are no words"}, nil
	}
	at := it.Record.Header.At
	if !raw.OccurredAt.IsZero() {
		at = raw.OccurredAt
	}
	drafts, by, note, err := w.drafts(ctx, j, raw, at.Time(), x)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{note: note}
	var r *refining
	if x.Refine {
		if by == "rules" {
			return Outcome{note: "not refined: " + core.Or(note, "no model is set")}, nil
		}
		made, err := w.draftedByRules(ctx, it)
		if err != nil {
			return Outcome{}, err
		}
		r = &refining{made}
	}
	d := Drafting{
		E: w.E, Run: x.Run, Space: j.Space, session: it.Record.Header.Session, Via: memory.ViaInference, By: by,
		Sources: []*store.Item{it}, again: x.Again, why: x.Why,
	}
	var from []int
	if d.Sources, from, err = w.withCaptures(ctx, it, x.From); err != nil {
		return out, err
	}
	for _, draft := range drafts {
		draft.From = from
		if h := &it.Record.Header; !h.ValidFrom.IsZero() {
			draft.ValidFrom = h.ValidFrom
		}
		if d.replaces = nil; r != nil {
			d.replaces = r.takes(draft)
		}
		if d.replaces != nil && words.Same(memory.Words(d.replaces.Record.Body), memory.Words(draft.Memory())) {
			if err := w.compareAgain(&out, d.replaces, x.NoEvolution); err != nil {
				return out, err
			}
			continue
		}
		if err := d.Add(ctx, &out, draft, it.Record.Header.About); err != nil {
			return out, err
		}
	}
	if r != nil && len(out.Records) > 0 {
		if err := r.release(w, &out); err != nil {
			return out, err
		}
	}
	if err := w.settleKnown(ctx, &out, x.Run, d.Sources[1:]); err != nil {
		return out, err
	}
	if !x.NoEvolution {
		err = w.CompareLater(ctx, &out, x.Judge)
	}
	return out, err
}

// drafts asks the model, or the rules if there is no model or it does not answer. by names the
// one that drafted.
func (w *Working) drafts(
	ctx context.Context, j *store.Job, raw *memory.Raw, at time.Time, x extracting,
) (drafts []extract.Draft, by, note string, err error) {
	if kind, typ, err := kindSaid(x.Kind); kind != "" && err == nil {
		return extract.KeptAs(raw.Speaker, raw.Said(), at, kind, typ), "rules", "", nil
	}
	if w.E.LLM != nil && !x.Rules {
		answer, err := w.E.Ask(ctx, extract.AskExtract(raw.Said(), at, w.E.C.Seed))
		if err == nil {
			if _, drafts, err = extract.ReadExtract(answer.Text); err == nil {
				return drafts, w.E.LLM.Model(), "", nil
			}
			w.E.Failed(ctx, err)
		}
		if w.retry(j, err) {
			return nil, "", "", err
		}
		note = "drafted by rules: " + core.OneLine(err)
	}
	return extract.Kept(raw.Speaker, raw.Said(), at), "rules", note, nil
}

// kindSaid reads what an author says that a text is: a kind, or a type of note.
func kindSaid(name string) (kind memory.Kind, typ string, err error) {
	switch k := memory.Kind(name); k {
	case "":
		return "", "", nil
	case memory.KindBelief, memory.KindEpisode, memory.KindGoal, memory.KindValue:
		return k, "", nil
	case "fact":
		return memory.KindBelief, name, nil
	case memory.KindNote:
		return k, "note", nil
	}
	if slices.Contains(memory.NoteTypes, name) {
		return memory.KindNote, name, nil
	}
	return "", "", core.Invalid("kind: remember makes belief, episode, goal, value and note, or a note of type %s; got %q",
		strings.Join(memory.NoteTypes, ", "), shorten.To(name, 40))
}
