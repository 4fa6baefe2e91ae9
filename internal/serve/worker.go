package serve

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// When a worker looks: a while after a write, so that a burst of them is one; and
// now and then for what other processes left, or what waits for another try.
const (
	afterWrite = time.Second
	lookEvery  = 30 * time.Second
)

// worker does what was left for later.
type worker struct {
	e      *engine.Engine
	embeds bool
	say    func(string, ...any)
	woken  chan struct{}
	said   string // the last that was wrong, said once
}

func newWorker(e *engine.Engine, o Options) *worker {
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

// jobs and embed are told of as spans where there was something to do.
func (w *worker) jobs(ctx context.Context) error {
	inner, span := tracing.Start(ctx, tracing.Inside, "background jobs")
	got, err := w.e.RunJobs(inner, api.RunJobsRequest{})
	wrong := err != nil && ctx.Err() == nil // to be told to stop is nothing wrong
	if wrong {
		span.Fail(ops.StatusOf(err).Name)
	}
	span.Set(
		tracing.Number("stemma.jobs.done", got.Done), tracing.Number("stemma.jobs.later", got.Later),
		tracing.Number("stemma.jobs.gave_up", got.GaveUp),
	)
	if wrong || got.Done+got.Later+got.GaveUp > 0 {
		span.End() // one that does not end is not told of
	}
	return err
}

func (w *worker) embed(ctx context.Context) error {
	inner, span := tracing.Start(ctx, tracing.Inside, "background vectors")
	got, err := w.e.Embed(inner, api.EmbedRequest{})
	wrong := err != nil && ctx.Err() == nil // to be told to stop is nothing wrong
	if wrong {
		span.Fail(ops.StatusOf(err).Name)
	}
	span.Set(tracing.Number("stemma.vectors.made", got.Made))
	if wrong || got.Made > 0 {
		span.End()
	}
	return err
}

func (w *worker) work(ctx context.Context) {
	err := w.jobs(ctx)
	if err == nil && w.embeds {
		err = w.embed(ctx)
	}
	switch {
	case err == nil:
		w.said = ""
	case ctx.Err() == nil && !errors.Is(err, context.Canceled) && err.Error() != w.said:
		w.said = err.Error()
		w.say("work that was left for later: %v", err)
	}
}
