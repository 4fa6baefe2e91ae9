package serve

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma"
)

// When a worker looks: a while after a write, so that a burst of them is one; and
// now and then for what other processes left, or what waits for another try.
const (
	afterWrite = time.Second
	lookEvery  = 30 * time.Second
)

// worker does what was left for later.
type worker struct {
	e      *stemma.Engine
	embeds bool
	say    func(string, ...any)
	woken  chan struct{}
	said   string // the last that was wrong, said once
}

func newWorker(e *stemma.Engine, o Options) *worker {
	return &worker{e: e, embeds: o.Embeds, say: o.Say, woken: make(chan struct{}, 1)}
}

// wake says that something was written. It never waits.
func (w *worker) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// run works until ctx ends.
func (w *worker) run(ctx context.Context) {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.woken:
			wait.Reset(afterWrite)
			continueAfter(ctx, wait)
		case <-wait.C:
		}
		w.work(ctx)
		wait.Reset(lookEvery)
	}
}

// continueAfter lets a burst of writes go by.
func continueAfter(ctx context.Context, wait *time.Timer) {
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

func (w *worker) work(ctx context.Context) {
	_, err := w.e.RunJobs(ctx, stemma.RunJobsRequest{})
	if err == nil && w.embeds {
		_, err = w.e.Embed(ctx, stemma.EmbedRequest{})
	}
	switch {
	case err == nil:
		w.said = ""
	case ctx.Err() == nil && !errors.Is(err, context.Canceled) && err.Error() != w.said:
		w.said = err.Error()
		w.say("work that was left for later: %v", err)
	}
}
