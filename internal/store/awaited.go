package store

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// An Awaited is a record about which a claim is dated ahead, or was until now: its bytes may have to go then.
type Awaited struct {
	ID  memory.ID
	Due memory.Time // when the first of those claims counts
}

// An Awaiter is a store that can name such records without reading its records.
type Awaiter interface {
	// Awaited returns those due first, at most so many. It goes by the tables alone.
	Awaited(ctx context.Context, most int) ([]Awaited, error)
}

// AwaitedOf returns such records of a store: at once where the store can, from its lists otherwise.
func AwaitedOf(ctx context.Context, s Store, most int) ([]Awaited, error) {
	if quick, ok := Plain(s).(Awaiter); ok {
		return quick.Awaited(ctx, most)
	}
	var out []Awaited
	for it, err := range s.List(ctx, Query{Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, err
		}
		if it.Record != nil && (it.State.Purged || !it.State.Due.IsZero()) && len(out) < most {
			out = append(out, Awaited{it.Ref.ID, it.State.Due})
		}
	}
	return out, nil
}
