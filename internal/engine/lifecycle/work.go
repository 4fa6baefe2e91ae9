package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// The tasks of jobs.
const (
	taskExtract = "extract" // draft memories of what was to be remembered
	taskProcess = "process" // draft memories of captured events
	taskTurn    = "turn"    // draft of a person's turn what it says against memories
	TaskDetect  = "detect"  // compare a new memory with older ones
	taskLetGo   = "let-go"  // let a proposal go that nobody took up
)

// How long a job is one worker's, how often it is tried, and how long after a
// failure.
const (
	leaseOfJob = 2 * time.Minute
	mostRuns   = 6
)

var afterFailure = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour}

// WorkOrder says which jobs are done.
type WorkOrder struct {
	Keys     []string    // none is all that are due
	all      bool        // those that are not due too
	Now      bool        // somebody waits: what a model does not answer at once, the rules do
	Follow   bool        // the jobs that jobs leave too, where keys name the first
	Tell     bool        // somebody asked for the work itself: why nothing came of it, too
	rules    bool        // no model is asked
	holder   string      // who does it; "" is a new worker
	held     []store.Job // jobs that were kept as the holder's from the start
	limit    int
	progress func(done int)
}

// Worked is what came of it.
type Worked struct {
	count, GaveUp, later int
	memories, Links      []memory.ID
	Notes                []string
	Left                 []string // keys of jobs still to be done
	held                 []string // keys of jobs that wait for the caller's judgement
	near                 bool     // what is near to what was made is told
	like                 *looked  // what the last comparison read
	said                 []sayingAgain
	rejected             []api.Rejection
}

// Working is one worker.
type Working struct {
	E      *Lifecycle
	order  WorkOrder
	holder string
	mine   []store.Job // that need not be taken
	*Worked
}

// An Outcome is what a job comes to.
type Outcome struct {
	Records []*memory.Record
	Jobs    []store.Job
	held    []string       // of the jobs, those that wait for a judgement
	expect  []memory.ID    // that must still be current
	unsaid  []store.Saying // what must not have been said meanwhile
	note    string
	skipped int

	said     []sayingAgain   // memories that say what was to be drafted
	rejected []api.Rejection // what a person rejected and was to be drafted, or is merely alike
}

// A saying is words that said a memory again.
type sayingAgain struct {
	memory memory.ID
	raw    memory.Ref
}

// NewJob is work that is due at once. Jobs are done in the order in which they were made, so each is made a millisecond
// after the one before, which is as fine as stores keep it: those of one moment were done in the order of their keys,
// and a correction before what it corrects.
func (e *Lifecycle) NewJob(task, key, space string, body any) (store.Job, error) {
	b, err := json.Marshal(body)
	now := e.C.Now()
	return store.Job{Key: key, Task: task, Space: space, Body: b, Made: e.times.after(now), Due: now}, err
}

// A turnstile gives each time that goes through it another one.
type turnstile struct {
	mu   sync.Mutex
	last time.Time
}

func (t *turnstile) after(now time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if least := t.last.Add(time.Millisecond); now.Before(least) {
		now = least
	}
	t.last = now
	return now
}

// hold makes a job a worker's from the start.
func (e *Lifecycle) hold(j *store.Job, holder string) {
	j.Holder, j.Until, j.Tries = holder, e.C.Now().Add(leaseOfJob), 1
}

// holdOn keeps a long job from being taken by another.
func (w *Working) holdOn(ctx context.Context, j *store.Job) error {
	again, err := w.E.Store.TakeJob(
		ctx, store.Take{Holder: w.holder, Keys: []string{j.Key}, Until: w.E.C.Now().Add(leaseOfJob), All: true},
	)
	if err == nil && again == nil {
		err = store.ErrConflict
	}
	return err
}

// retry reports whether a model's failure may be temporary.
func (w *Working) retry(j *store.Job, err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrUnavailable) && !w.order.Now && j.Tries < mostRuns
}

func readBody(j *store.Job, into any) error {
	if err := json.Unmarshal(j.Body, into); err != nil {
		return fmt.Errorf("the job's record cannot be read: %w", err)
	}
	return nil
}
