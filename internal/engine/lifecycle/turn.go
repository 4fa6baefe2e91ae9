package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// promptEvent is the event of a prompt that a person typed.
const promptEvent = "user_prompt"

// mostOfTurn is how much of a turn is compared with memories, in bytes. A longer one is a document.
const mostOfTurn = 8 << 10

// Capture keeps words now; what they mean can be thought about later. It needs
// no model and no network, and returns when the words are safe on disk.
func (e *Lifecycle) Capture(ctx context.Context, in api.CaptureRequest) (api.WriteReply, error) {
	h, err := core.MetaHeader(in.Meta, memory.Certain)
	if err != nil {
		return api.WriteReply{}, err
	}
	raw := &memory.Raw{Text: in.Text, Source: in.Source, Event: in.Event, Speaker: in.Speaker, Caption: in.Caption}
	if raw.OccurredAt, err = core.ParseTime("occurred_at", in.OccurredAt); err != nil {
		return api.WriteReply{}, err
	}
	if !utf8.ValidString(in.Text) && len(in.Blob) == 0 { // text of an old file, or of another system
		raw.Text, in.Text, in.Blob = "", "", []byte(in.Text)
	}
	if len(in.Blob) > 0 {
		if in.Text != "" {
			return api.WriteReply{}, core.Invalid("text: give text or blob, not both")
		}
		keepBytes(raw, in.Blob)
	}
	if in.Approve {
		return api.WriteReply{}, core.Invalid("approve: a capture cannot be approved; approve a memory made of it")
	}
	h.Provenance.Via = memory.ViaDirect
	if h.Provenance.Evidence, err = e.trust.Pins(e.trust.Reading(ctx), in.Files); err != nil {
		return api.WriteReply{}, err
	}
	r, redacted, err := e.SignClean(h, raw)
	if err != nil {
		return api.WriteReply{}, err
	}
	return e.writeTurn(ctx, r, redacted)
}

// writeTurn stores what was captured.
func (e *Lifecycle) writeTurn(
	ctx context.Context, r *memory.Record, redacted []api.Redaction,
) (api.WriteReply, error) {
	jobs, done, err := e.Turns([]*memory.Record{r})
	if err != nil {
		return api.WriteReply{}, err
	}
	reply, err := e.Write(ctx, store.Batch{Records: []*memory.Record{r}, Jobs: jobs}, redacted)
	if err == nil {
		done(ctx)
	}
	return reply, err
}

// Turns returns the jobs that compare what a person said in prompts with memories: it is the strongest witness, and an
// agent may never take it up. done does them, once they are stored with the words.
func (e *Lifecycle) Turns(records []*memory.Record) (jobs []store.Job, done func(context.Context), err error) {
	holder, err := e.NewRun("worker")
	if err != nil {
		return nil, nil, err
	}
	order := WorkOrder{holder: holder, Now: true, Follow: true, rules: true}
	for _, r := range records {
		if !asksToCompare(r) {
			continue
		}
		j, err := e.NewJob(taskTurn, turnKey(r.ID), r.Header.Space, extracting{Raw: r.ID})
		if err != nil {
			return nil, nil, err
		}
		e.hold(&j, holder)
		jobs, order.Keys = append(jobs, j), append(order.Keys, j.Key)
	}
	order.held = slices.Clone(jobs)
	return jobs, func(ctx context.Context) {
		if len(jobs) > 0 {
			_, _ = e.RunPending(ctx, order) // what does not come of it now is a job still
		}
	}, nil
}

// asksToCompare reports whether a record has what a person said in a prompt, and is no document.
func asksToCompare(r *memory.Record) bool {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || raw.Event != promptEvent {
		return false
	}
	own, is := core.OwnWords(r)
	return is && len(own) <= mostOfTurn
}

// turn drafts of what a person said in a turn those statements that change or contradict a current memory. What says
// nothing against one stays a capture, for the agent's model.
func (w *Working) turn(ctx context.Context, j *store.Job) (Outcome, error) {
	var x extracting
	if err := readBody(j, &x); err != nil {
		return Outcome{}, err
	}
	it, err := w.E.One(ctx, x.Raw)
	if err != nil || it == nil || it.Record == nil || !it.State.Live() {
		return Outcome{note: "the words are not shown any more"}, err
	}
	own, is := core.OwnWords(it.Record)
	if !is {
		return Outcome{note: "these are no words of a person"}, nil
	}
	raw := it.Record.Body.(*memory.Raw)
	at := it.Record.Header.At
	if !raw.OccurredAt.IsZero() {
		at = raw.OccurredAt
	}
	if x.Run, err = w.E.NewRun(taskTurn); err != nil {
		return Outcome{}, err
	}
	d := Drafting{
		E: w.E, Run: x.Run, Space: j.Space, session: it.Record.Header.Session, Via: memory.ViaInference, By: "rules",
		Sources: []*store.Item{it},
	}
	var out Outcome
	var drafted []string
	for _, draft := range extract.Kept(raw.Speaker, shorten.To(own, mostOfTurn), at.Time()) {
		if !asserted(own, draft.Text) {
			continue
		}
		against, err := w.E.speaksAgainst(ctx, it, draft)
		if err != nil {
			return out, err
		}
		if !against {
			continue
		}
		drafted = append(drafted, draft.Text)
		draft.From = []int{0}
		if err := d.Add(ctx, &out, draft, it.Record.Header.About); err != nil {
			return out, err
		}
	}
	if err := w.CompareLater(ctx, &out, false); err != nil {
		return out, err
	}
	marks, err := w.E.saidOtherwise(ctx, it, own, drafted)
	out.Records = append(out.Records, marks...)
	return out, err
}

// asserted reports whether a text says a statement as it is, in a sentence of its own: not as a quotation, a mail or an
// example, and not as something that may be so. What is ahead of it ends with a comma ("By the way, …"). An item of a
// list is such a sentence, unless a colon introduces the list: it may be of what somebody else said, or of choices.
func asserted(text, statement string) bool {
	introduced := false
	for _, s := range sentences.Split(text) {
		item := s
		for n := sentences.Marker(item); n > 0; n = sentences.Marker(item) {
			item = strings.TrimSpace(item[n:])
		}
		if item == s {
			introduced = strings.HasSuffix(s, ":")
		}
		item = strings.Trim(item, "*_")
		lead, is := strings.CutSuffix(words.Folded(item), words.Folded(statement))
		if !is {
			lead, is = strings.CutSuffix(strings.ToLower(words.Folded(item)), strings.ToLower(words.Folded(statement)))
		}
		if lead = strings.TrimSpace(lead); is && (lead == "" || strings.HasSuffix(lead, ",")) {
			return !introduced && !strings.ContainsAny(item, "\"“”„«»:>")
		}
	}
	return false
}

// speaksAgainst reports whether a statement of a turn changes or contradicts a current memory of what was said before,
// as the rules see it.
func (e *Lifecycle) speaksAgainst(ctx context.Context, turn *store.Item, draft extract.Draft) (bool, error) {
	body := draft.Memory()
	if body == nil {
		return false, nil
	}
	h := turn.Record.Header
	h.Kind, h.About = memory.KindOf(body), draft.About
	said := &memory.Record{Header: h, Body: body}
	if !IsCompared(said) {
		return false, nil
	}
	items, hits, err := e.alike(ctx, nil, said, false)
	if err != nil {
		return false, err
	}
	var old []*store.Item
	for i, it := range items {
		if it != nil && it.Record != nil && it.State.Live() && hits[i].Own > 0 && IsCompared(it.Record) &&
			standing.Happened(it.Record).Before(standing.Happened(turn.Record)) &&
			!slices.Contains(it.Record.Header.Provenance.Sources(), turn.Ref.ID) && len(old) < e.shown() {
			old = append(old, it)
		}
	}
	new, all := standing.Seen(said), seenOf(old)
	found := evolve.Allowed(evolve.Rules(new, all), new, len(all))
	return found != nil && (found.Type == memory.Update || found.Type == memory.Contradict), nil
}

// laterTurns is how many of what a person said last are looked at for turns that were compared already.
const laterTurns = 50

// turnsAfter returns jobs that compare once more what a person said after the last event of a session, where that was
// drafted before this session was: by another worker at the same time, since its session alone was asked for, or since
// these older words came later.
func (w *Working) turnsAfter(ctx context.Context, last *store.Item, upTo store.Seq) (jobs []store.Job, err error) {
	h, then := &last.Record.Header, standing.Happened(last.Record)
	turns := make(map[string]memory.ID)
	for it, err := range w.E.Store.List(ctx, store.Query{
		Kinds: []memory.Kind{memory.KindRaw}, Spaces: []string{h.Space}, After: then,
		Has: [][]string{{index.SubjectMark("user")}}, Limit: laterTurns,
	}) {
		if err != nil {
			return nil, err
		}
		if it.Record != nil && it.Record.Header.Session != h.Session && asksToCompare(it.Record) &&
			then.Before(standing.Happened(it.Record)) {
			turns[turnKey(it.Ref.ID)+processed] = it.Ref.ID
		}
	}
	if len(turns) == 0 {
		return nil, nil
	}
	known, err := w.E.Store.Jobs(ctx, store.JobQuery{Keys: slices.Sorted(maps.Keys(turns))})
	if err != nil {
		return nil, err
	}
	for _, one := range known {
		again, err := w.E.NewJob(taskTurn, fmt.Sprintf("%s/after/%d", turnKey(turns[one.Key]), upTo), h.Space,
			extracting{Raw: turns[one.Key]})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, again)
	}
	return jobs, nil
}

// turnKey is the key of the job that compares a turn when it is captured; processed ends that of the one that does
// after its session was drafted.
func turnKey(id memory.ID) string { return "turn/" + id.String() }

const processed = "/processed"
