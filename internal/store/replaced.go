package store

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// A Replacer is a store that can name all that a record replaces at once.
type Replacer interface {
	// Replaced returns what a record replaces, directly or not, and the record itself, at most so many. It goes
	// by the tables alone.
	Replaced(ctx context.Context, id memory.ID, most int) ([]memory.Ref, error)
}

// ReplacedBy is Replaced, and nothing where a store cannot say.
func ReplacedBy(ctx context.Context, s Store, id memory.ID, most int) ([]memory.Ref, error) {
	if quick, ok := Plain(s).(Replacer); ok {
		return quick.Replaced(ctx, id, most)
	}
	return nil, nil
}
