package lifecycle

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The tasks of jobs.
const (
	taskExtract = "extract" // draft memories of what was to be remembered
	taskProcess = "process" // draft memories of captured events
	TaskDetect  = "detect"  // compare a new memory with older ones
)

// extracting is the body of a job of that task.
type extracting struct {
	Raw         memory.ID `json:"raw"`
	Run         string    `json:"run"`
	NoEvolution bool      `json:"no_evolution,omitempty"`
	Judge       bool      `json:"judge,omitempty"`
	Again       bool      `json:"again,omitempty"` // although a person rejected the same
}

// Remember keeps the words and leaves it to jobs to make memories of them and to
// compare these with older ones. It returns when the words and the jobs are safe on
// disk, or with Wait when the jobs are done.
func (e *Lifecycle) Remember(ctx context.Context, in api.RememberRequest) (api.RememberReply, error) {
	var reply api.RememberReply
	if in.Approve {
		return reply, core.Invalid("approve: remember cannot approve; approve the memories made of the words once they exist")
	}
	if err := e.refusesAgain(in.Again); err != nil {
		return reply, err
	}
	h, err := core.MetaHeader(in.Meta, memory.Certain)
	if err != nil {
		return reply, err
	}
	x := extracting{NoEvolution: in.NoEvolution, Judge: in.Judge, Again: in.Again}
	if x.Run, err = e.NewRun("remember"); err != nil {
		return reply, err
	}
	h.Provenance = memory.Provenance{Via: memory.ViaDirect, Run: x.Run, Context: "remember"}
	if h.Provenance.Evidence, err = e.trust.Pins(ctx, in.Files); err != nil {
		return reply, err
	}
	if h.Recalled, err = e.views.Recalled(ctx, core.Or(h.Session, e.C.Session), nil); err != nil {
		return reply, err
	}
	said := &memory.Raw{Source: in.Source, Speaker: in.Speaker}
	keepBytes(said, []byte(in.Text))
	r, redacted, err := e.SignClean(h, said)
	if err != nil {
		return reply, err
	}
	if !in.Again {
		if done, err := e.rememberRejected(ctx, r, redacted, &reply); done || err != nil {
			return reply, err
		}
	}
	x.Raw = r.ID
	job, err := e.NewJob(taskExtract, "extract/"+r.ID.String(), r.Header.Space, x)
	if err != nil {
		return reply, err
	}
	if reply.WriteReply, err = e.Write(
		ctx, store.Batch{Records: []*memory.Record{r}, Jobs: []store.Job{job}}, redacted,
	); err != nil {
		return reply, err
	}
	reply.Hint = ""
	if !in.Wait && !in.Judge && e.LLM != nil {
		reply.Jobs = []string{job.Key}
		return reply, nil
	}
	done, err := e.RunPending(ctx, WorkOrder{Keys: []string{job.Key}, Now: true, Follow: true})
	if err != nil {
		return reply, err
	}
	return e.remembered(ctx, reply, done)
}

// remembered fills in what the jobs came to.
func (e *Lifecycle) remembered(ctx context.Context, reply api.RememberReply, done *Worked) (api.RememberReply, error) {
	items, err := e.Store.Get(ctx, done.memories...)
	if err != nil {
		return reply, core.Classify(err)
	}
	if reply.Memories, err = e.views.Views(ctx, core.Present(items)...); err != nil {
		return reply, err
	}
	links, err := e.Store.Get(ctx, done.Links...)
	if err != nil {
		return reply, core.Classify(err)
	}
	if reply.Links, err = e.views.LinkViews(ctx, core.Present(links)); err != nil {
		return reply, err
	}
	reply.Notes, reply.Jobs, reply.NotBy = done.Notes, done.Left, done.rejected
	for _, s := range done.said {
		it, err := e.Store.Get(ctx, s.memory)
		if err != nil {
			return reply, core.Classify(err)
		}
		one, err := e.views.Views(ctx, core.Present(it)...)
		if err != nil || len(one) == 0 {
			return reply, err
		}
		said := core.Grow(&reply.Said)
		said.Memory, said.Raw = one[0], s.raw.String()
	}
	reply.Judge, err = e.judgings(ctx, done.held)
	return reply, err
}

// NewRun names one run of something that makes several records.
func (e *Lifecycle) NewRun(what string) (string, error) {
	n, err := e.Nonce()
	return what + "/" + n, err
}

// NewJob is work that is due at once.
func (e *Lifecycle) NewJob(task, key, space string, body any) (store.Job, error) {
	b, err := json.Marshal(body)
	now := e.C.Now()
	return store.Job{Key: key, Task: task, Space: space, Body: b, Made: now, Due: now}, err
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
	drafts, by, note, err := w.drafts(ctx, j, raw, at.Time())
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{note: note}
	d := Drafting{
		E: w.E, Run: x.Run, Space: j.Space, session: it.Record.Header.Session, Via: memory.ViaInference, By: by,
		Sources: []*store.Item{it}, again: x.Again,
	}
	for _, draft := range drafts {
		draft.From = []int{0}
		if err := d.Add(ctx, &out, draft, it.Record.Header.About); err != nil {
			return out, err
		}
	}
	if !x.NoEvolution {
		err = w.CompareLater(ctx, &out, x.Judge)
	}
	return out, err
}

// drafts asks the model, or the rules if there is no model or it does not answer. by names the
// one that drafted.
func (w *Working) drafts(
	ctx context.Context, j *store.Job, raw *memory.Raw, at time.Time,
) (drafts []extract.Draft, by, note string, err error) {
	if w.E.LLM != nil {
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
