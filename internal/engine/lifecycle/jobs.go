package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Jobs lists what was left for later; All adds the jobs that are over.
func (e *Lifecycle) Jobs(ctx context.Context, in api.OpenRequest) (api.JobsReply, error) {
	reply := api.JobsReply{Jobs: []api.JobInfo{}}
	open, err := e.Store.Jobs(ctx, store.JobQuery{Open: true})
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Open = len(open)
	jobs := open
	if in.All {
		if jobs, err = e.Store.Jobs(ctx, store.JobQuery{}); err != nil {
			return reply, core.Classify(err)
		}
	}
	limit := cmp.Or(in.Limit, views.DefaultLimit)
	for _, j := range jobs {
		if limit > 0 && len(reply.Jobs) == limit {
			reply.More = true
			break
		}
		reply.Jobs = append(reply.Jobs, e.jobInfo(&j))
	}
	return reply, nil
}

func (e *Lifecycle) jobInfo(j *store.Job) api.JobInfo {
	now := e.C.Now()
	out := api.JobInfo{
		Key: j.Key, Task: j.Task, Space: j.Space, Made: memory.At(j.Made).String(), Tries: j.Tries, Note: j.Note,
		State: "waiting",
	}
	switch {
	case j.Gave:
		out.State = "gave_up"
	case !j.Open():
		out.State = "done"
	case j.Holder != "" && j.Until.After(now):
		out.State = "running"
	case j.Due.After(now):
		out.Due = memory.At(j.Due).String()
	}
	return out
}

// RunJobs does what was left for later, until nothing is due. Several may at once:
// each job is done once.
func (e *Lifecycle) RunJobs(ctx context.Context, in api.RunJobsRequest) (api.RunJobsReply, error) {
	if in.Limit < 0 {
		return api.RunJobsReply{}, core.Invalid("limit: must not be negative, got %d", in.Limit)
	}
	done, err := e.RunPending(ctx, WorkOrder{limit: in.Limit, all: in.Now, progress: in.Progress})
	if err != nil {
		return api.RunJobsReply{}, err
	}
	return e.jobsDone(ctx, done)
}

func (e *Lifecycle) jobsDone(ctx context.Context, done *Worked) (api.RunJobsReply, error) {
	reply := api.RunJobsReply{
		Done: done.count, Memories: len(done.memories), Links: len(done.Links), GaveUp: done.GaveUp, Later: done.later,
		Notes:     done.Notes,
		SaidAgain: len(done.said), RejectedBefore: done.rejected,
	}
	open, err := e.Store.Jobs(ctx, store.JobQuery{Open: true})
	reply.Open = len(open)
	return reply, core.Classify(err)
}

// keepJobs is how long a job that is over is remembered.
const keepJobs = 30 * 24 * time.Hour

// RunPending does jobs one after the other.
func (e *Lifecycle) RunPending(ctx context.Context, o WorkOrder) (*Worked, error) {
	if o.holder == "" {
		var err error
		if o.holder, err = e.NewRun("worker"); err != nil {
			return &Worked{}, err
		}
	}
	w := &Working{E: e, order: o, holder: o.holder, mine: o.held, Worked: &Worked{}}
	tasks := w.tasks()
	todo := slices.Clone(o.Keys)
	for o.limit == 0 || w.count+w.later+w.GaveUp < o.limit {
		if len(o.Keys) > 0 && len(todo) == 0 {
			break
		}
		j, err := w.next(ctx, todo, tasks)
		if err != nil {
			w.Left = append(w.Left, todo...)
			return w.Worked, core.Classify(err)
		}
		if j == nil {
			break
		}
		out, err := w.do(ctx, j)
		if err != nil {
			w.Left = append(w.Left, todo...)
			return w.Worked, err
		}
		if len(o.Keys) > 0 {
			todo = slices.DeleteFunc(todo, func(k string) bool { return k == j.Key })
			if o.Follow && out != nil {
				todo = append(todo, Follow(out)...)
			}
		}
		if o.progress != nil {
			o.progress(w.count)
		}
	}
	w.Left = append(w.Left, todo...)
	var err error
	if len(o.Keys) == 0 {
		_, err = e.Store.ForgetJobs(ctx, e.C.Now().Add(-keepJobs))
	}
	return w.Worked, core.Classify(err)
}

// next returns the next job to do, nil if there is none. One that is this worker's already needs
// not be taken.
func (w *Working) next(ctx context.Context, todo, tasks []string) (*store.Job, error) {
	if len(w.mine) > 0 {
		j := w.mine[0]
		w.mine = w.mine[1:]
		return &j, nil
	}
	return w.E.Store.TakeJob(ctx, store.Take{
		Holder: w.holder, Keys: todo, Tasks: tasks, Until: w.E.C.Now().Add(leaseOfJob), All: w.order.all || w.order.Now,
	})
}

// Follow returns the jobs that an outcome leaves to be done at once.
func Follow(out *Outcome) []string {
	var keys []string
	for _, j := range out.Jobs {
		if !slices.Contains(out.held, j.Key) {
			keys = append(keys, j.Key)
		}
	}
	return keys
}

// tasks are those this worker can do: a job of a newer version is left alone.
func (w *Working) tasks() []string {
	return []string{taskExtract, taskProcess, taskTurn, TaskDetect, taskLetGo}
}

// mostAtOnce is how often a job is done again where others write the same.
const mostAtOnce = 10

// do does one job. Its error is one of the store's; what goes wrong with the job
// itself is noted there.
func (w *Working) do(ctx context.Context, j *store.Job) (*Outcome, error) {
	var err error
	for range mostAtOnce {
		var out Outcome
		if out, err = w.attempt(ctx, j); err != nil {
			break
		}
		var mine []store.Job
		if w.order.Follow && len(w.order.Keys) > 0 {
			for i := range out.Jobs {
				if k := &out.Jobs[i]; !slices.Contains(out.held, k.Key) {
					w.E.hold(k, w.holder)
					mine = append(mine, *k)
				}
			}
		}
		b := store.Batch{
			Records: out.Records, Jobs: out.Jobs, Expect: out.expect, Unsaid: out.unsaid,
			Finished: &store.Finished{Work: store.Work{Key: j.Key, Holder: w.holder}, Note: out.note},
		}
		if err = w.E.Append(ctx, b); err == nil {
			w.record(&out)
			w.mine = append(w.mine, mine...)
			return &out, nil
		}
		if len(out.unsaid)+len(out.said) == 0 || !errors.Is(err, store.ErrConflict) && !errors.Is(err, api.ErrConflict) {
			break
		} // another session said the same meanwhile: this one says it again
	}
	switch {
	case ctx.Err() != nil:
		back := context.WithoutCancel(ctx)
		return nil, errors.Join(core.Classify(ctx.Err()), core.Classify(w.putBack(back, j, 0, "it was stopped", false)))
	case errors.Is(err, api.ErrUnavailable) && !errors.Is(err, llm.ErrUnavailable):
		return nil, err // the store
	case errors.Is(err, store.ErrConflict) || errors.Is(err, api.ErrConflict):
		w.later++
		return nil, core.Classify(w.putBack(ctx, j, 0, "what it spoke of changed meanwhile", j.Tries >= mostRuns))
	case errors.Is(err, llm.ErrUnavailable) && j.Tries < mostRuns:
		w.later++
		w.Noted(core.OneLine(err))
		return nil, core.Classify(
			w.putBack(ctx, j, afterFailure[min(j.Tries, len(afterFailure))-1], core.OneLine(err), false),
		)
	default:
		w.GaveUp++
		w.Noted(fmt.Sprintf("%s: %s", j.Key, core.OneLine(err)))
		return nil, core.Classify(w.putBack(ctx, j, 0, core.OneLine(err), true))
	}
}

func (w *Working) putBack(ctx context.Context, j *store.Job, after time.Duration, note string, give bool) error {
	return w.E.Store.PutBack(ctx, store.PutBack{
		Work: store.Work{Key: j.Key, Holder: w.holder}, Due: w.E.C.Now().Add(after), Note: note, GiveUp: give,
	})
}

// attempt does the work of one job and stores nothing.
func (w *Working) attempt(ctx context.Context, j *store.Job) (Outcome, error) {
	switch j.Task { // those that write only what they come to are one reading
	case taskExtract:
		return w.extract(w.E.trust.Reading(ctx), j)
	case taskProcess:
		return w.process(ctx, j)
	case taskTurn:
		return w.turn(w.E.trust.Reading(ctx), j)
	case TaskDetect:
		return w.detect(w.E.trust.Reading(ctx), j)
	case taskLetGo:
		return w.letGo(ctx, j)
	}
	return Outcome{}, fmt.Errorf("no such task: %q", j.Task)
}

// record counts what was stored.
func (w *Working) record(out *Outcome) {
	w.count++
	for _, r := range out.Records {
		if r.Header.Kind == memory.KindLink {
			w.Links = append(w.Links, r.ID)
		} else if r.Header.Kind.IsMemory() {
			w.memories = append(w.memories, r.ID)
		}
	}
	w.held = append(w.held, out.held...)
	w.said, w.rejected = append(w.said, out.said...), append(w.rejected, out.rejected...)
	if out.note != "" && (len(out.Records) > 0 || out.skipped > 0 || w.order.Tell) {
		w.Noted(out.note)
	}
}

// Noted keeps a note once.
func (w *Working) Noted(note string) {
	const most = 20
	if note != "" && len(w.Notes) < most && !slices.Contains(w.Notes, note) {
		w.Notes = append(w.Notes, note)
	}
}
