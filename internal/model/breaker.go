package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

// Why a call was not passed on, or failed in a way that is no provider's.
var (
	errPaused = errors.New("it failed again and again")
	errBusy   = errors.New("too many calls are under way")
	errBudget = errors.New("the day's tokens are spent")
	errPanic  = errors.New("it panicked")
)

// why names the reason of an error, "" for none.
func why(err error) string {
	if err == nil {
		return ""
	}
	for _, r := range []struct {
		of   error
		name string
	}{
		{errPaused, "paused"}, {errBusy, "busy"}, {errBudget, "budget"}, {errPanic, "panic"}, {llm.ErrDeclined, "declined"},
		{llm.ErrRefused, "refused"}, {llm.ErrNonsense, "nonsense"}, {
			context.DeadlineExceeded, "late",
		}, {llm.ErrUnavailable, "unavailable"},
		{context.Canceled, "cancelled"},
	} {
		if errors.Is(err, r.of) {
			return r.name
		}
	}
	return "unavailable" // a generator that breaks the promise about errors
}

// begin says whether a call may be made, and whether it is the one that tries after a pause.
func (b *Bounded) begin(ctx context.Context) (trial bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, Late(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return false, nil
	}
	if left := b.until.Sub(b.bounds.Now()); left > 0 || b.trial {
		text := "it is being tried again"
		if left > 0 {
			text = fmt.Sprintf("it is asked again in %v", left.Round(time.Second))
		}
		return false, fmt.Errorf("%w: %w: %s", llm.ErrUnavailable, errPaused, text)
	}
	b.trial = true
	return true, nil
}

// end counts how a call went. What the model declines, it was there to decline; what was never passed on, or was
// cancelled, says nothing.
func (b *Bounded) end(trial bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if trial {
		b.trial = false
	}
	switch why(err) {
	case "", "declined":
		b.row, b.until = 0, time.Time{}
	case "cancelled", "busy", "budget":
	default:
		b.row++
		if trial || b.row >= b.bounds.Failures {
			b.row, b.until = 0, b.bounds.Now().Add(b.bounds.Pause)
		}
	}
}

// slot waits for a place among the tries under way, as long as a try may take.
func (b *Bounded) slot(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, b.bounds.Timeout)
	defer cancel()
	select {
	case b.slots <- struct{}{}:
		return nil
	case <-wait.Done():
		if err := ctx.Err(); err != nil {
			return Late(err)
		}
		return fmt.Errorf("%w: %w", llm.ErrUnavailable, errBusy)
	}
}

func (b *Bounded) day() int { return int(b.bounds.Now().UTC().Unix() / (24 * 60 * 60)) }

// reserve keeps tokens for a try, if the day has them.
func (b *Bounded) reserve(tokens int) error {
	b.money.Lock()
	defer b.money.Unlock()
	if most := b.bounds.Budget; most > 0 {
		if spent := b.bounds.Ledger.Spent(b.day()); spent+b.reserved+tokens > most {
			return fmt.Errorf("%w: %w: %d of %d, and this would ask %d more; there are new ones at midnight UTC",
				llm.ErrUnavailable, errBudget, spent, most, tokens)
		}
	}
	b.reserved += tokens
	b.mu.Lock()
	b.usage.Tries++
	b.mu.Unlock()
	return nil
}

// spend writes down what a try cost.
func (b *Bounded) spend(reserved int, a llm.Answer) {
	b.money.Lock()
	defer b.money.Unlock()
	b.reserved -= reserved
	if n := a.In + a.Out; n > 0 {
		b.bounds.Ledger.Spend(b.day(), n)
	}
	b.mu.Lock()
	b.usage.In += a.In
	b.usage.Out += a.Out
	b.mu.Unlock()
}

func (b *Bounded) spent() int {
	b.money.Lock()
	defer b.money.Unlock()
	return b.bounds.Ledger.Spent(b.day())
}

// days is a Ledger in memory; it knows one day, the last.
type days struct{ day, tokens int }

func (d *days) Spent(day int) int {
	if day != d.day {
		return 0
	}
	return d.tokens
}

func (d *days) Spend(day, tokens int) {
	if day != d.day {
		d.day, d.tokens = day, 0
	}
	d.tokens += tokens
}
