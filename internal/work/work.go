// Package work does what was left for later, beside the answers of a server: memories that a
// model refines, comparisons, vectors. One job is done at a time, and each is one worker's.
package work

import (
	"context"
	"errors"
	"sync/atomic"
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

	quietFor     = 100 * time.Millisecond // no one asked for anything, before vectors are made
	embedsAtOnce = 256                    // records
)

// Options say how a worker works.
type Options struct {
	First time.Duration // until it looks for the first time
	Say   func(format string, args ...any)
}

// A Worker does what was left for later. A nil one does nothing.
type Worker struct {
	e     *engine.Engine
	o     Options
	woken chan struct{}
	said  string // the last that was wrong, said once

	asked atomic.Int64                       // when somebody asked for something, in nanoseconds
	stop  atomic.Pointer[context.CancelFunc] // ends the vectors that are being made
}

// New makes a worker for a store.
func New(e *engine.Engine, o Options) *Worker {
	return &Worker{e: e, o: o, woken: make(chan struct{}, 1)}
}

// Wake says that something was written. It never waits.
func (w *Worker) Wake() {
	if w == nil {
		return
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// Asked says that somebody asked for something: vectors wait for it.
func (w *Worker) Asked() {
	if w == nil {
		return
	}
	w.asked.Store(time.Now().UnixNano())
	if stop := w.stop.Load(); stop != nil {
		(*stop)()
	}
}

// Run works until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	wait := time.NewTimer(w.o.First)
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
func (w *Worker) jobs(ctx context.Context) error {
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

func (w *Worker) embed(ctx context.Context) error {
	for {
		if !w.quiet(ctx) {
			return nil
		}
		inner, stop := context.WithCancel(ctx)
		w.stop.Store(&stop)
		left, err := w.embedSome(inner)
		stopped := inner.Err() != nil && ctx.Err() == nil
		stop()
		if !stopped && (err != nil || left == 0) {
			return err
		}
	}
}

// quiet waits until no one asked for anything for a moment. It is false where ctx ended, or something was written.
func (w *Worker) quiet(ctx context.Context) bool {
	for {
		since := time.Since(time.Unix(0, w.asked.Load()))
		if since >= quietFor {
			return ctx.Err() == nil
		}
		select {
		case <-time.After(quietFor - since):
		case <-w.woken:
			w.Wake() // what was written is compared first: that waits for no quiet
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (w *Worker) embedSome(ctx context.Context) (left int, err error) {
	inner, span := tracing.Start(ctx, tracing.Inside, "background vectors")
	got, err := w.e.Embed(inner, api.EmbedRequest{Limit: embedsAtOnce})
	wrong := err != nil && ctx.Err() == nil // to be told to stop is nothing wrong
	if wrong {
		span.Fail(ops.StatusOf(err).Name)
	}
	span.Set(tracing.Number("stemma.vectors.made", got.Made))
	if wrong || got.Made > 0 {
		span.End()
	}
	return got.Left, err
}

func (w *Worker) work(ctx context.Context) {
	err := w.jobs(ctx)
	if err == nil {
		err = engine.CarryOutDue(ctx, w.e)
	}
	if err == nil && engine.Embeds(w.e) {
		err = w.embed(ctx)
	}
	switch {
	case err == nil:
		w.said = ""
	case ctx.Err() == nil && !errors.Is(err, context.Canceled) && err.Error() != w.said:
		w.said = err.Error()
		w.o.Say("work that was left for later: %v", err)
	}
}
