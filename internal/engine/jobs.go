package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Jobs lists what was left for later.
func (e *Engine) Jobs(ctx context.Context, in api.JobsRequest) (api.JobsReply, error) {
	reply := api.JobsReply{Jobs: []api.JobInfo{}}
	open, err := e.store.Jobs(ctx, store.JobQuery{Open: true})
	if err != nil {
		return reply, sorted(err)
	}
	reply.Open = len(open)
	jobs := open
	if in.All {
		if jobs, err = e.store.Jobs(ctx, store.JobQuery{}); err != nil {
			return reply, sorted(err)
		}
	}
	limit := cmp.Or(in.Limit, defaultLimit)
	for _, j := range jobs {
		if limit > 0 && len(reply.Jobs) == limit {
			reply.More = true
			break
		}
		reply.Jobs = append(reply.Jobs, e.jobInfo(&j))
	}
	return reply, nil
}

func (e *Engine) jobInfo(j *store.Job) api.JobInfo {
	now := e.c.Now()
	out := api.JobInfo{Key: j.Key, Task: j.Task, Space: j.Space, Made: memory.At(j.Made).String(), Tries: j.Tries, Note: j.Note, State: "waiting"}
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
func (e *Engine) RunJobs(ctx context.Context, in api.RunJobsRequest) (api.RunJobsReply, error) {
	return e.RunJobsUntil(ctx, in, nil)
}

// RunJobsUntil is RunJobs that tells how many jobs were done so far.
func (e *Engine) RunJobsUntil(ctx context.Context, in api.RunJobsRequest, progress func(done int)) (api.RunJobsReply, error) {
	if in.Limit < 0 {
		return api.RunJobsReply{}, invalid("limit: must not be negative, got %d", in.Limit)
	}
	done, err := e.runJobs(ctx, workOrder{limit: in.Limit, all: in.Now, progress: progress})
	if err != nil {
		return api.RunJobsReply{}, err
	}
	return e.jobsDone(ctx, done)
}

func (e *Engine) jobsDone(ctx context.Context, done *worked) (api.RunJobsReply, error) {
	reply := api.RunJobsReply{
		Done: done.count, Memories: len(done.memories), Links: len(done.links), GaveUp: done.gaveUp, Later: done.later, Notes: done.notes,
		Said: len(done.said), Rejected: done.rejected,
	}
	open, err := e.store.Jobs(ctx, store.JobQuery{Open: true})
	reply.Open = len(open)
	return reply, sorted(err)
}

// workOrder says which jobs are done.
type workOrder struct {
	keys     []string // none is all that are due
	all      bool     // those that are not due too
	now      bool     // somebody waits: what a model does not answer at once, the rules do
	follow   bool     // the jobs that jobs leave too, where keys name the first
	limit    int
	progress func(done int)
}

// worked is what came of it.
type worked struct {
	count, gaveUp, later int
	memories, links      []memory.ID
	notes                []string
	left                 []string // keys of jobs still to be done
	held                 []string // keys of jobs that wait for the caller's judgement
	said                 []sayingAgain
	rejected             []api.Rejection
}

// working is one worker.
type working struct {
	e      *Engine
	order  workOrder
	holder string
	*worked
}

// An outcome is what a job comes to.
type outcome struct {
	records []*memory.Record
	jobs    []store.Job
	held    []string    // of the jobs, those that wait for a judgement
	expect  []memory.ID // that must still be current
	note    string
	skipped int

	said     []sayingAgain   // memories that say what was to be drafted
	rejected []api.Rejection // what a person rejected and was to be drafted, or is merely alike
}

// How long a job is one worker's, how often it is tried, and how long after a
// failure.
const (
	leaseOfJob = 2 * time.Minute
	mostRuns   = 6
)

var afterFailure = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour}

// keepJobs is how long a job that is over is remembered.
const keepJobs = 30 * 24 * time.Hour

// runJobs does jobs one after the other.
func (e *Engine) runJobs(ctx context.Context, o workOrder) (*worked, error) {
	holder, err := e.newRun("worker")
	if err != nil {
		return nil, err
	}
	w := &working{e: e, order: o, holder: holder, worked: &worked{}}
	tasks := w.tasks()
	todo := slices.Clone(o.keys)
	for o.limit == 0 || w.count+w.later+w.gaveUp < o.limit {
		if len(o.keys) > 0 && len(todo) == 0 {
			break
		}
		j, err := e.store.TakeJob(ctx, store.Take{
			Holder: holder, Keys: todo, Tasks: tasks, Until: e.c.Now().Add(leaseOfJob), All: o.all || o.now,
		})
		if err != nil {
			return w.worked, sorted(err)
		}
		if j == nil {
			break
		}
		out, err := w.do(ctx, j)
		if err != nil {
			return w.worked, err
		}
		if len(o.keys) > 0 {
			todo = slices.DeleteFunc(todo, func(k string) bool { return k == j.Key })
			if o.follow && out != nil {
				todo = append(todo, follow(out)...)
			}
		}
		if o.progress != nil {
			o.progress(w.count)
		}
	}
	w.left = append(w.left, todo...)
	if len(o.keys) == 0 {
		_, err = e.store.ForgetJobs(ctx, e.c.Now().Add(-keepJobs))
	}
	return w.worked, sorted(err)
}

// follow gives the jobs that an outcome leaves to be done at once.
func follow(out *outcome) []string {
	var keys []string
	for _, j := range out.jobs {
		if !slices.Contains(out.held, j.Key) {
			keys = append(keys, j.Key)
		}
	}
	return keys
}

// tasks are those this worker can do: a job of a newer version is left alone.
func (w *working) tasks() []string { return []string{taskExtract, taskProcess, taskDetect} }

// do does one job. Its error is one of the store's; what goes wrong with the job
// itself is noted there.
func (w *working) do(ctx context.Context, j *store.Job) (*outcome, error) {
	out, err := w.attempt(ctx, j)
	if err == nil {
		b := store.Batch{
			Records: out.records, Jobs: out.jobs, Expect: out.expect,
			Finished: &store.Finished{Work: store.Work{Key: j.Key, Holder: w.holder}, Note: out.note},
		}
		if err = w.e.append(ctx, b); err == nil {
			w.record(&out)
			return &out, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		back := context.WithoutCancel(ctx)
		return nil, errors.Join(sorted(ctx.Err()), sorted(w.putBack(back, j, 0, "it was stopped", false)))
	case errors.Is(err, api.ErrUnavailable) && !errors.Is(err, llm.ErrUnavailable):
		return nil, err // the store
	case errors.Is(err, store.ErrConflict) || errors.Is(err, api.ErrConflict):
		w.later++
		return nil, sorted(w.putBack(ctx, j, 0, "what it spoke of changed meanwhile", j.Tries >= mostRuns))
	case errors.Is(err, llm.ErrUnavailable) && j.Tries < mostRuns:
		w.later++
		w.noted(oneLine(err))
		return nil, sorted(w.putBack(ctx, j, afterFailure[min(j.Tries, len(afterFailure))-1], oneLine(err), false))
	default:
		w.gaveUp++
		w.noted(fmt.Sprintf("%s: %s", j.Key, oneLine(err)))
		return nil, sorted(w.putBack(ctx, j, 0, oneLine(err), true))
	}
}

func (w *working) putBack(ctx context.Context, j *store.Job, after time.Duration, note string, give bool) error {
	return w.e.store.PutBack(ctx, store.PutBack{
		Work: store.Work{Key: j.Key, Holder: w.holder}, Due: w.e.c.Now().Add(after), Note: note, GiveUp: give,
	})
}

// attempt does the work of one job and stores nothing.
func (w *working) attempt(ctx context.Context, j *store.Job) (outcome, error) {
	switch j.Task {
	case taskExtract:
		return w.extract(ctx, j)
	case taskProcess:
		return w.process(ctx, j)
	case taskDetect:
		return w.detect(ctx, j)
	}
	return outcome{}, fmt.Errorf("no such task: %q", j.Task)
}

// record counts what was stored.
func (w *working) record(out *outcome) {
	w.count++
	for _, r := range out.records {
		if r.Header.Kind == memory.KindLink {
			w.links = append(w.links, r.ID)
		} else if r.Header.Kind.IsMemory() {
			w.memories = append(w.memories, r.ID)
		}
	}
	w.held = append(w.held, out.held...)
	w.said, w.rejected = append(w.said, out.said...), append(w.rejected, out.rejected...)
	if out.note != "" && (len(out.records) > 0 || out.skipped > 0 || w.order.now) {
		w.noted(out.note)
	}
}

// noted keeps a note once.
func (w *working) noted(note string) {
	const most = 20
	if note != "" && len(w.notes) < most && !slices.Contains(w.notes, note) {
		w.notes = append(w.notes, note)
	}
}

// holdOn keeps a long job from being taken by another.
func (w *working) holdOn(ctx context.Context, j *store.Job) error {
	again, err := w.e.store.TakeJob(ctx, store.Take{Holder: w.holder, Keys: []string{j.Key}, Until: w.e.c.Now().Add(leaseOfJob), All: true})
	if err == nil && again == nil {
		err = store.ErrConflict
	}
	return err
}

// retry reports whether a model's failure is to be waited for.
func (w *working) retry(j *store.Job, err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrUnavailable) && !w.order.now && j.Tries < mostRuns
}

func readBody(j *store.Job, into any) error {
	if err := json.Unmarshal(j.Body, into); err != nil {
		return fmt.Errorf("what the job is about cannot be read: %w", err)
	}
	return nil
}

// one gives one record; nil where it is not held or was purged.
func (e *Engine) one(ctx context.Context, id memory.ID) (*store.Item, error) {
	items, err := e.store.Get(ctx, id)
	if err != nil {
		return nil, sorted(err)
	}
	if items[0] == nil || items[0].Record == nil {
		return nil, nil
	}
	return items[0], nil
}
