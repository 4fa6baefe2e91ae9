package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
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
func (e *Lifecycle) today() string { return e.C.Now().UTC().Format(time.DateOnly) }

// Ask asks the model and counts the call. What an answer says is the caller's to
// check.
func (e *Lifecycle) Ask(ctx context.Context, q llm.Question) (llm.Answer, error) {
	a, err := e.LLM.Generate(ctx, q)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	counts := map[string]int64{countCalls: 1, countIn: int64(a.In), countOut: int64(a.Out)}
	if err != nil {
		counts[countFailed+failureWord(err)] = 1
	}
	if countErr := e.Store.Count(ctx, e.today(), counts); err == nil && countErr != nil {
		err = core.Classify(countErr)
	}
	return a, err
}

// Failed counts an answer that could not be used.
func (e *Lifecycle) Failed(ctx context.Context, err error) {
	// a count is not worth a failure
	_ = e.Store.Count(ctx, e.today(), map[string]int64{countFailed + failureWord(err): 1})
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

// Tokens is the ledger of a model's daily budget, kept with the store so that all
// processes spend from one.
type Tokens struct{ E *Lifecycle }

func dayOf(day int) string { return time.Unix(int64(day)*24*60*60, 0).UTC().Format(time.DateOnly) }

const countSpent = "model tokens spent"

// Spent says what was spent on a day; what cannot be read is nothing.
func (t Tokens) Spent(day int) int {
	counts, err := t.E.Store.Counts(context.Background(), dayOf(day))
	if err != nil {
		return 0
	}
	return int(counts[countSpent])
}

// Spend counts tokens of a day.
func (t Tokens) Spend(day, n int) {
	// it will be counted as too little
	_ = t.E.Store.Count(context.Background(), dayOf(day), map[string]int64{countSpent: int64(n)})
}
