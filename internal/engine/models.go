package engine

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

// The counters of a day that stats shows.
const (
	countCalls  = "model calls"
	countIn     = "model tokens in"
	countOut    = "model tokens out"
	countFailed = "model failures: "
)

// today names the day that counters are kept for.
func (e *Engine) today() string { return e.c.Now().UTC().Format(time.DateOnly) }

// ask asks the model and counts the call. What an answer says is the caller's to
// check.
func (e *Engine) ask(ctx context.Context, q llm.Question) (llm.Answer, error) {
	a, err := e.llm.Generate(ctx, q)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	counts := map[string]int64{countCalls: 1, countIn: int64(a.In), countOut: int64(a.Out)}
	if err != nil {
		counts[countFailed+failureWord(err)] = 1
	}
	if countErr := e.store.Count(ctx, e.today(), counts); err == nil && countErr != nil {
		err = sorted(countErr)
	}
	return a, err
}

// failed counts an answer that could not be used.
func (e *Engine) failed(ctx context.Context, err error) {
	_ = e.store.Count(ctx, e.today(), map[string]int64{countFailed + failureWord(err): 1}) // a count is not worth a failure
}

func failureWord(err error) string {
	switch {
	case errors.Is(err, llm.ErrDeclined):
		return "declined"
	case errors.Is(err, llm.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, llm.ErrRefused):
		return "refused"
	default:
		return "nonsense"
	}
}

// tokens is the ledger of a model's daily budget, kept with the store so that all
// processes spend from one.
type tokens struct{ e *Engine }

func dayOf(day int) string { return time.Unix(int64(day)*24*60*60, 0).UTC().Format(time.DateOnly) }

const countSpent = "model tokens spent"

// Spent tells what was spent on a day; what cannot be read is nothing.
func (t tokens) Spent(day int) int {
	counts, err := t.e.store.Counts(context.Background(), dayOf(day))
	if err != nil {
		return 0
	}
	return int(counts[countSpent])
}

// Spend counts tokens of a day.
func (t tokens) Spend(day, n int) {
	_ = t.e.store.Count(context.Background(), dayOf(day), map[string]int64{countSpent: int64(n)}) // it will be counted as too little
}
