package store

import (
	"context"

	"github.com/stemma-memory/stemma/internal/state"
)

// A Counter is a store that can count what a list would have without reading it.
type Counter interface {
	// CountListed counts the records that q selects, whatever its limit. It goes by the tables alone: exact
	// where they are what they should be and no claim came due.
	CountListed(ctx context.Context, q Query) (int, error)
}

// CountListed counts the records that q selects: at once where the store can, from its list otherwise.
func CountListed(ctx context.Context, s Store, q Query) (n int, err error) {
	if quick, ok := Plain(s).(Counter); ok {
		return quick.CountListed(ctx, q)
	}
	q.Limit = 0
	for _, err := range s.List(ctx, q) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// Wants reports whether q asks for a record of a state, as far as it asks whether somebody marked it as done.
func (q *Query) Wants(s *state.State) bool { return (!q.Open || !s.Done) && (!q.Done || s.Done) }
