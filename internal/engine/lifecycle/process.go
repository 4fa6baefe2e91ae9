package lifecycle

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// processing is the body of a job of that task.
type processing struct {
	Session     string    `json:"session"`
	After       store.Seq `json:"after"` // drafts rest on at least one event after this place in the log
	UpTo        store.Seq `json:"up_to"`
	Raws        int       `json:"raws"` // from there on
	NoEvolution bool      `json:"no_evolution,omitempty"`
}

// contextEvents is how many events of a session before the new ones are read with
// them, and mostEvents how many are drafted from at once.
const (
	contextEvents = 50
	mostEvents    = 2000
	askedEvents   = 30 // that a model is shown in one question
)

// Process leaves a job for each session with events that no one has looked at, and
// does these jobs.
func (e *Lifecycle) Process(ctx context.Context, in api.ProcessRequest) (api.ProcessReply, error) {
	var reply api.ProcessReply
	spaces, err := e.NamedSpaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	var keys []string
	for _, space := range spaces {
		left, err := e.leaveProcessing(ctx, space, in, &reply)
		if err != nil {
			return reply, err
		}
		keys = append(keys, left...)
	}
	if in.Later || len(keys) == 0 {
		reply.RunJobsReply, err = e.jobsDone(ctx, &Worked{})
		return reply, err
	}
	done, err := e.RunPending(ctx, WorkOrder{Keys: keys, Follow: true, progress: in.Progress})
	if err != nil {
		return reply, err
	}
	made, err := e.Store.Get(ctx, done.memories...)
	if err != nil {
		return reply, core.Classify(err)
	}
	e.tell(ctx, recordsOf(core.Present(made)))
	reply.RunJobsReply, err = e.jobsDone(ctx, done)
	return reply, err
}

// leaveProcessing leaves jobs for what came to a space since it was last asked. The
// place is kept after the jobs: asked again in between, the same jobs are left.
func (e *Lifecycle) leaveProcessing(
	ctx context.Context, space string, in api.ProcessRequest, reply *api.ProcessReply,
) ([]string, error) {
	name := "process/" + space
	if in.Session != "" {
		name += "/" + in.Session
	}
	after, err := e.Store.Cursor(ctx, name)
	if err != nil {
		return nil, core.Classify(err)
	}
	whole, err := e.Store.Cursor(ctx, "process/"+space)
	if err != nil {
		return nil, core.Classify(err)
	}
	after = max(after, whole)
	bySession := make(map[string]*processing)
	var order []string
	at := after
	for {
		page, err := e.Store.Since(ctx, space, at, 1000)
		if err != nil {
			return nil, core.Classify(err)
		}
		if len(page) == 0 {
			break
		}
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		items, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, it := range items {
			at = max(at, it.Seq)
			if it.Record == nil || it.Ref.Kind != memory.KindRaw || !it.State.Live() || it.State.Done ||
				saidOnPurpose(it.Record) {
				continue
			}
			s := it.Record.Header.Session
			if in.Session != "" && s != in.Session {
				continue
			}
			p := bySession[s]
			if p == nil {
				p = &processing{Session: s, After: after, NoEvolution: in.NoEvolution}
				bySession[s] = p
				order = append(order, s)
			}
			p.Raws++
			p.UpTo = it.Seq
		}
		at = max(at, page[len(page)-1].Seq)
	}
	var jobs []store.Job
	var keys []string
	for _, s := range order {
		p := bySession[s]
		j, err := e.NewJob(taskProcess, fmt.Sprintf("process/%s/%s/%d", space, s, p.UpTo), space, p)
		if err != nil {
			return nil, err
		}
		jobs, keys = append(jobs, j), append(keys, j.Key)
		reply.Raws += p.Raws
		reply.Sessions++
	}
	if len(jobs) == 0 || e.C.ReadOnly {
		return nil, nil
	}
	if err := e.Append(ctx, store.Batch{Jobs: jobs}); err != nil {
		return nil, err
	}
	return keys, core.Classify(e.Store.SetCursor(ctx, name, at))
}

// process drafts memories of the new events of one session.
func (w *Working) process(ctx context.Context, j *store.Job) (Outcome, error) {
	var p processing
	if err := readBody(j, &p); err != nil {
		return Outcome{}, err
	}
	items, fresh, err := w.E.eventsOf(ctx, j.Space, &p)
	if err != nil || len(items) == 0 {
		return Outcome{note: "nothing new"}, err
	}
	events := make([]extract.Event, len(items))
	for i, it := range items {
		events[i] = eventOf(it)
	}
	run, err := w.E.NewRun("process")
	if err != nil {
		return Outcome{}, err
	}
	drafts, by, note, err := w.draftEvents(ctx, j, events, fresh)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{note: note}
	d := Drafting{E: w.E, Run: run, Space: j.Space, session: p.Session, Via: memory.ViaPromote, By: by, Sources: items}
	for _, draft := range drafts {
		if err := d.Add(ctx, &out, draft, nil); err != nil {
			return out, err
		}
	}
	if p.NoEvolution {
		return out, nil
	}
	for _, it := range items[fresh:] { // compared when it was captured, before there were these memories
		if asksToCompare(it.Record) {
			j, err := w.E.NewJob(taskTurn, turnKey(it.Ref.ID)+processed, j.Space, extracting{Raw: it.Ref.ID})
			if err != nil {
				return out, err
			}
			out.Jobs = append(out.Jobs, j)
		}
	}
	if len(out.Records) > 0 {
		again, err := w.turnsAfter(ctx, items[len(items)-1], p.UpTo)
		if out.Jobs = append(out.Jobs, again...); err != nil {
			return out, err
		}
	}
	return out, w.CompareLater(ctx, &out, false)
}

// eventsOf returns the new events of a session with some before them, in order; fresh
// is the place of the first new one.
func (e *Lifecycle) eventsOf(
	ctx context.Context, space string, p *processing,
) (items []*store.Item, fresh int, err error) {
	var before []*store.Item
	q := store.Query{Kinds: []memory.Kind{memory.KindRaw}, Spaces: []string{space}, Session: p.Session, Oldest: true}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return nil, 0, core.Classify(err)
		}
		if it.Record == nil || p.Session == "" && it.Record.Header.Session != "" || it.Seq > p.UpTo ||
			it.State.Done || saidOnPurpose(it.Record) {
			continue
		}
		if it.Seq <= p.After {
			if before = append(before, it); len(before) > contextEvents {
				before = before[1:]
			}
			continue
		}
		if items = append(items, it); len(items) == mostEvents {
			break
		}
	}
	if len(items) == 0 {
		return nil, 0, nil
	}
	return append(before, items...), len(before), nil
}

func eventOf(it *store.Item) extract.Event {
	raw := it.Record.Body.(*memory.Raw)
	ev := extract.Event{Text: raw.Said(), Speaker: raw.Speaker, Type: raw.Event, Session: it.Record.Header.Session,
		At: it.Record.Header.At.Time()}
	if raw.Event == "user_prompt" && core.HostOf(it.Record) != "" {
		own, is := core.OwnWords(it.Record)
		if ev.Text = own; !is {
			ev.Text, ev.Type, ev.Speaker = raw.Said(), "turn", ownwords.Speaker
		}
	}
	if !raw.OccurredAt.IsZero() {
		ev.At = raw.OccurredAt.Time()
	}
	return ev
}

// draftEvents asks the model, some events at a time, or the rules. A draft rests on at
// least one event from fresh on.
func (w *Working) draftEvents(
	ctx context.Context, j *store.Job, events []extract.Event, fresh int,
) (drafts []extract.Draft, by, note string, err error) {
	by = "rules"
	if w.E.LLM != nil {
		drafts, err = w.askEvents(ctx, j, events, fresh)
		switch {
		case err == nil:
			by = w.E.LLM.Model()
		case w.retry(j, err):
			return nil, "", "", err
		default:
			note = "drafted by rules: " + core.OneLine(err)
		}
	}
	if by == "rules" {
		drafts = extract.Process(events)
	}
	var out []extract.Draft
	for _, d := range drafts {
		for _, n := range d.From {
			if n >= fresh {
				out = append(out, d)
				break
			}
		}
	}
	return out, by, note, nil
}

func (w *Working) askEvents(
	ctx context.Context, j *store.Job, events []extract.Event, fresh int,
) ([]extract.Draft, error) {
	var out []extract.Draft
	for at := fresh; at < len(events); at += askedEvents {
		from := max(0, at-5) // what was said just before
		part := events[from:min(at+askedEvents, len(events))]
		answer, err := w.E.Ask(ctx, extract.AskProcess(part, w.E.C.Seed))
		if err != nil {
			return nil, err
		}
		drafts, err := extract.ReadProcess(answer.Text, len(part))
		if err != nil {
			w.E.Failed(ctx, err)
			return nil, err
		}
		for _, d := range drafts {
			for i := range d.From {
				d.From[i] += from
			}
			out = append(out, d)
		}
		if err := w.holdOn(ctx, j); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// saidOnPurpose reports whether words were given to be remembered, or to correct a memory: what is
// to be made of them was made then.
func saidOnPurpose(r *memory.Record) bool {
	return r.Header.Provenance.Context == core.ContextRemember || r.Header.Provenance.Context == core.ContextCorrect
}
