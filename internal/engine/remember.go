package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The tasks of jobs.
const (
	taskExtract = "extract" // draft memories of what was to be remembered
	taskProcess = "process" // draft memories of captured events
	taskDetect  = "detect"  // compare a new memory with older ones
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
func (e *Engine) Remember(ctx context.Context, in api.RememberRequest) (api.RememberReply, error) {
	var reply api.RememberReply
	if in.Approve {
		return reply, invalid("approve: a person approves what is made of the words, when it is there")
	}
	if err := e.refusesAgain(in.Again); err != nil {
		return reply, err
	}
	h, err := metaHeader(in.Meta, memory.Certain)
	if err != nil {
		return reply, err
	}
	x := extracting{NoEvolution: in.NoEvolution, Judge: in.Judge, Again: in.Again}
	if x.Run, err = e.newRun("remember"); err != nil {
		return reply, err
	}
	h.Provenance = memory.Provenance{Via: memory.ViaDirect, Run: x.Run, Context: "remember"}
	if h.Provenance.Evidence, err = e.pins(ctx, in.Files); err != nil {
		return reply, err
	}
	if h.Recalled, err = e.recalled(ctx, or(h.Session, e.c.Session), nil); err != nil {
		return reply, err
	}
	said := &memory.Raw{Source: in.Source, Speaker: in.Speaker}
	keepBytes(said, []byte(in.Text))
	r, redacted, err := e.signClean(h, said)
	if err != nil {
		return reply, err
	}
	if !in.Again {
		if done, err := e.rememberRejected(ctx, r, redacted, &reply); done || err != nil {
			return reply, err
		}
	}
	x.Raw = r.ID
	job, err := e.newJob(taskExtract, "extract/"+r.ID.String(), r.Header.Space, x)
	if err != nil {
		return reply, err
	}
	if reply.WriteReply, err = e.write(ctx, store.Batch{Records: []*memory.Record{r}, Jobs: []store.Job{job}}, redacted); err != nil {
		return reply, err
	}
	reply.Hint = ""
	if !in.Wait && !in.Judge {
		reply.Jobs = []string{job.Key}
		return reply, nil
	}
	done, err := e.runJobs(ctx, workOrder{keys: []string{job.Key}, now: true, follow: true})
	if err != nil {
		return reply, err
	}
	return e.remembered(ctx, reply, done)
}

// remembered fills in what the jobs came to.
func (e *Engine) remembered(ctx context.Context, reply api.RememberReply, done *worked) (api.RememberReply, error) {
	items, err := e.store.Get(ctx, done.memories...)
	if err != nil {
		return reply, sorted(err)
	}
	if reply.Memories, err = e.views(ctx, present(items)...); err != nil {
		return reply, err
	}
	links, err := e.store.Get(ctx, done.links...)
	if err != nil {
		return reply, sorted(err)
	}
	if reply.Links, err = e.linkViews(ctx, present(links)); err != nil {
		return reply, err
	}
	reply.Notes, reply.Jobs, reply.NotBy = done.notes, done.left, done.rejected
	for _, s := range done.said {
		it, err := e.store.Get(ctx, s.memory)
		if err != nil {
			return reply, sorted(err)
		}
		one, err := e.views(ctx, present(it)...)
		if err != nil || len(one) == 0 {
			return reply, err
		}
		reply.Said = append(reply.Said, api.SaidAgain{Memory: one[0], Raw: s.raw.String()})
	}
	reply.Judge, err = e.judgings(ctx, done.held)
	return reply, err
}

// present leaves out what is not held.
func present(items []*store.Item) []*store.Item {
	var out []*store.Item
	for _, it := range items {
		if it != nil && it.Record != nil {
			out = append(out, it)
		}
	}
	return out
}

// newRun names one run of something that makes several records.
func (e *Engine) newRun(what string) (string, error) {
	n, err := e.nonce()
	return what + "/" + n, err
}

// newJob is work that is due at once.
func (e *Engine) newJob(task, key, space string, body any) (store.Job, error) {
	b, err := json.Marshal(body)
	now := e.c.Now()
	return store.Job{Key: key, Task: task, Space: space, Body: b, Made: now, Due: now}, err
}

// extract drafts memories of what was to be remembered.
func (w *working) extract(ctx context.Context, j *store.Job) (outcome, error) {
	var x extracting
	if err := readBody(j, &x); err != nil {
		return outcome{}, err
	}
	it, err := w.e.one(ctx, x.Raw)
	if err != nil || it == nil || !it.State.Live() {
		return outcome{note: "the words are not shown any more"}, err
	}
	raw, ok := it.Record.Body.(*memory.Raw)
	if !ok || raw.Said() == "" {
		return outcome{note: "there are no words"}, nil
	}
	at := it.Record.Header.At
	if !raw.OccurredAt.IsZero() {
		at = raw.OccurredAt
	}
	drafts, by, note, err := w.drafts(ctx, j, raw, at.Time)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{note: note}
	d := drafting{e: w.e, run: x.Run, space: j.Space, session: it.Record.Header.Session, via: memory.ViaInference, by: by, sources: []*store.Item{it}, again: x.Again}
	for _, draft := range drafts {
		draft.From = []int{0}
		if err := d.add(ctx, &out, draft, it.Record.Header.About); err != nil {
			return out, err
		}
	}
	if !x.NoEvolution {
		err = w.compareLater(ctx, &out, x.Judge)
	}
	return out, err
}

// drafts asks the model, or the rules where there is none or it does not answer. by
// says who drafted.
func (w *working) drafts(ctx context.Context, j *store.Job, raw *memory.Raw, at time.Time) (drafts []extract.Draft, by, note string, err error) {
	if w.e.llm != nil {
		answer, err := w.e.ask(ctx, extract.AskExtract(raw.Said(), at, w.e.c.Seed))
		if err == nil {
			if _, drafts, err = extract.ReadExtract(answer.Text); err == nil {
				return drafts, w.e.llm.Model(), "", nil
			}
			w.e.failed(ctx, err)
		}
		if w.retry(j, err) {
			return nil, "", "", err
		}
		note = "drafted by rules: " + oneLine(err)
	}
	_, drafts = extract.RememberBy(raw.Speaker, raw.Said(), at)
	return drafts, "rules", note, nil
}
