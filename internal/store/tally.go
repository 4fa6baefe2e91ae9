package store

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// A Tallier is a store that can count what it holds without reading it.
type Tallier interface {
	// Tally counts the memories of some spaces, none is all, that are shown by
	// default. It goes by the tables alone: exact where they are what they should be.
	Tally(ctx context.Context, spaces []string) (map[memory.Kind]int, error)
}

// Tally counts the memories of some spaces by kind: at once where the store can, from
// its lists otherwise.
func Tally(ctx context.Context, s Store, spaces []string) (map[memory.Kind]int, error) {
	if quick, ok := Plain(s).(Tallier); ok {
		return quick.Tally(ctx, spaces)
	}
	out := make(map[memory.Kind]int)
	for it, err := range s.List(ctx, Query{Spaces: spaces}) {
		if err != nil {
			return nil, err
		}
		out[it.Ref.Kind]++
	}
	return out, nil
}
