package store

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A Hidden is a memory that a store's tables keep out of lists.
type Hidden struct {
	ID        memory.ID
	At        time.Time // of the record
	Outranked bool
	Forgotten bool
	Due       bool // a claim about it has come due, so that it may be shown by now
}

// A Hider is a store that can name its hidden memories without reading its records.
type Hider interface {
	// Hidden returns the memories that are hidden, or of which a claim has come due, in the
	// order of the logs. It goes by the tables alone.
	Hidden(ctx context.Context) ([]Hidden, error)
}

// HiddenOf returns the hidden memories of a store: at once where the store can, from its lists
// otherwise.
func HiddenOf(ctx context.Context, s Store) ([]Hidden, error) {
	if quick, ok := Plain(s).(Hider); ok {
		return quick.Hidden(ctx)
	}
	var out []Hidden
	for it, err := range s.List(ctx, Query{Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, err
		}
		if it.State.Live() {
			continue
		}
		h := Hidden{ID: it.Ref.ID, Outranked: it.State.Outranked, Forgotten: it.State.Forgotten}
		if it.Record != nil {
			h.At = it.Record.Header.At.Time()
		}
		out = append(out, h)
	}
	return out, nil
}

// A Rejecter is a store that can say whether any memory was rejected without reading its records.
type Rejecter interface {
	// AnyRejected goes by the tables alone.
	AnyRejected(ctx context.Context) (bool, error)
}

// AnyRejected says whether any memory of a store may have been rejected: where the store cannot say, one may.
func AnyRejected(ctx context.Context, s Store) (bool, error) {
	if quick, ok := Plain(s).(Rejecter); ok {
		return quick.AnyRejected(ctx)
	}
	return true, nil
}
