// Package model stands between stemma and the models that it asks: it bounds calls, and takes only answers that
// keep the promises of package llm.
package model

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

// Bounds are the bounds of a Generator, where its tokens are counted, and what tests replace.
type Bounds struct {
	llm.Bounds
	Ledger Ledger // nil means in memory

	// What tests replace: the clock, waiting and chance.
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func(least, most time.Duration) time.Duration
}

// A Ledger counts tokens by the day, the days since 1970 in UTC. Its methods are never called at once.
type Ledger interface {
	Spent(day int) int
	Spend(day, tokens int)
}

const (
	defaultTry      = 10 * time.Second
	defaultTries    = 2
	defaultAtOnce   = 2
	defaultFailures = 5
	defaultPause    = time.Minute
	leastWait       = 500 * time.Millisecond // before another try, at least and at most
	mostWait        = 4 * time.Second
	mostAsked       = time.Minute // a server that wants to be left alone for longer is not waited for
)

// Checked returns a Generator that keeps the promises of the interface whatever g does. It gives up a try that takes
// too long even if g does not, and tries again what was unavailable, after a wait of chance or the one the server
// asked for (an error with a method RetryAfter() time.Duration). It makes no calls while g fails again and again,
// or when the day's tokens are spent: those are ErrUnavailable at once, and the text says why. The budget can be
// overstepped by the answers under way. Panics are ErrNonsense. When the caller cancels, the error is
// context.Canceled and counts as no failure.
func (b Bounds) Checked(g llm.Generator) *Bounded {
	b.Timeout = cmp.Or(max(b.Timeout, 0), defaultTry)
	b.Tries = cmp.Or(max(b.Tries, 0), defaultTries)
	b.AtOnce = cmp.Or(max(b.AtOnce, 0), defaultAtOnce)
	b.Failures = cmp.Or(max(b.Failures, 0), defaultFailures)
	b.Pause = cmp.Or(max(b.Pause, 0), defaultPause)
	if b.Ledger == nil {
		b.Ledger = &days{}
	}
	if b.Now == nil {
		b.Now = time.Now
	}
	if b.Wait == nil {
		b.Wait = Wait
	}
	if b.Jitter == nil {
		b.Jitter = jitter
	}
	return &Bounded{of: g, bounds: b, slots: make(chan struct{}, b.AtOnce),
		usage: Usage{Since: b.Now(), Failures: map[string]int{}}}
}

// Bounded is a Generator with bounds around it.
type Bounded struct {
	of     llm.Generator
	bounds Bounds
	slots  chan struct{} // holds one for each try under way

	money    sync.Mutex // of the ledger
	reserved int        // tokens of the tries under way

	mu    sync.Mutex // of what is below
	usage Usage
	row   int       // calls that failed one after the other
	until time.Time // no calls before; zero if calls are made
	trial bool      // one is under way
}

// Usage is what was asked of a Generator since it was opened.
type Usage struct {
	Since time.Time
	Calls int // of Generate, those included that were not passed on
	Tries int // that were passed on
	// calls that failed, by reason: unavailable, late, refused, declined, nonsense, panic, paused, busy, budget, cancelled
	Failures map[string]int
	Cut      int       // answers that hit the limit of tokens
	In, Out  int       // tokens
	Today    int       // tokens of the day, as the ledger has them
	Paused   time.Time // until when no calls are made; zero if they are
}

// Usage says what was asked so far.
func (b *Bounded) Usage() Usage {
	today := b.spent()
	b.mu.Lock()
	defer b.mu.Unlock()
	u := b.usage
	u.Failures = maps.Clone(u.Failures)
	u.Today = today
	if b.bounds.Now().Before(b.until) {
		u.Paused = b.until
	}
	return u
}

// Model is that of the Generator inside.
func (b *Bounded) Model() string { return b.of.Model() }

// Generate asks within the bounds.
func (b *Bounded) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) {
	trial, err := b.begin(ctx)
	var a llm.Answer
	if err == nil {
		a, err = b.tries(ctx, q, trial)
		b.end(trial, err)
	}
	reason := why(err)
	b.mu.Lock()
	b.usage.Calls++
	if reason != "" {
		b.usage.Failures[reason]++
	} else if a.Cut {
		b.usage.Cut++
	}
	b.mu.Unlock()
	if err != nil {
		if reason != "cancelled" {
			err = fmt.Errorf("ask %s to %s: %w", b.Model(), q.Task, err)
		}
		return llm.Answer{In: a.In, Out: a.Out, Refused: a.Refused}, err
	}
	return a, nil
}

// tries asks until there is an answer. After a pause there is one try only.
func (b *Bounded) tries(ctx context.Context, q llm.Question, trial bool) (llm.Answer, error) {
	var spent llm.Answer
	for try := 1; ; try++ {
		a, err := b.try(ctx, q)
		a.In, a.Out = a.In+spent.In, a.Out+spent.Out
		if err == nil || !again(err) || try >= b.bounds.Tries || trial {
			return a, err
		}
		spent = a
		d := b.bounds.Jitter(leastWait, mostWait)
		var asked interface{ RetryAfter() time.Duration }
		if errors.As(err, &asked) {
			d = max(d, asked.RetryAfter())
		}
		if end, ok := ctx.Deadline(); d > mostAsked || ok && b.bounds.Now().Add(d).After(end) {
			return a, fmt.Errorf("%w (it would have to be asked again in %v)", err, d.Round(time.Millisecond))
		}
		if err := b.bounds.Wait(ctx, d); err != nil {
			return a, Late(err)
		}
	}
}

// again says whether another try may help: no answer, or one that came too late.
func again(err error) bool {
	return errors.Is(err, llm.ErrUnavailable) && !errors.Is(err, errBusy) && !errors.Is(err, errBudget)
}

type came struct {
	llm.Answer
	err error
}

// try asks once and waits no longer than the bound.
func (b *Bounded) try(ctx context.Context, q llm.Question) (llm.Answer, error) {
	if err := b.slot(ctx); err != nil {
		return llm.Answer{}, err
	}
	guess := Asked(q)
	if err := b.reserve(guess); err != nil {
		<-b.slots
		return llm.Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.bounds.Timeout)
	defer cancel()
	answer := make(chan came, 1)
	go func() {
		defer func() { <-b.slots }()
		// out here no one else could catch it
		defer func() {
			if p := recover(); p != nil {
				answer <- came{err: fmt.Errorf("%w: %v: %w", errPanic, p, llm.ErrNonsense)}
			}
		}()
		a, err := b.of.Generate(ctx, q)
		answer <- came{a, err}
	}()
	var got came
	select {
	case got = <-answer:
		got.err = Late(got.err)
	case <-ctx.Done():
		if got.err = Late(ctx.Err()); errors.Is(got.err, llm.ErrUnavailable) {
			got.err = fmt.Errorf("no answer in time: %w", got.err)
		}
	}
	got = bounded(got, guess)
	b.spend(guess, got.Answer)
	return got.Answer, got.err
}

// bounded replaces impossible token counts of a generator's answer by the estimate.
func bounded(got came, guess int) came {
	const most = 1 << 30 // tokens; more is no count
	if got.In < 0 || got.Out < 0 || got.In > most || got.Out > most {
		got.In, got.Out = 0, 0
	}
	// what came too late or was cancelled may have to be paid all the same
	if got.In == 0 && (got.err == nil || errors.Is(got.err, context.DeadlineExceeded) ||
		errors.Is(got.err, context.Canceled)) {
		got.In = guess
	}
	if got.Out == 0 {
		got.Out = Estimate(got.Text)
	}
	switch {
	case got.err == nil && got.Refused:
		got.err = llm.ErrDeclined
	case got.err != nil && !ours(got.err):
		got.err = fmt.Errorf("%w: %w", llm.ErrUnavailable, got.err)
	case got.err == nil && len(got.Text) > maxAnswer:
		got.err = fmt.Errorf("an answer of more than %d KiB: %w", maxAnswer>>10, llm.ErrNonsense)
	}
	if got.err != nil {
		got.Text = ""
	}
	return got
}

// ours says whether an error is one that the interface promises.
func ours(err error) bool {
	for _, of := range []error{llm.ErrUnavailable, llm.ErrRefused, llm.ErrNonsense, context.Canceled} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

// jitter returns any duration from least to most, so that many who were turned away together do not come back together.
func jitter(least, most time.Duration) time.Duration {
	var bytes [8]byte
	_, _ = rand.Read(bytes[:]) // never fails
	return least + time.Duration(binary.LittleEndian.Uint64(bytes[:])%uint64(most-least+1))
}

// Wait returns after d, or with the error of ctx when that ends first.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
