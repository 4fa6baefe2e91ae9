package views

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
)

// AboutName is what the index has of memories about a name, and of what its bearer said: each of its words
// among the subjects.
func AboutName(name string) [][]string {
	var out [][]string
	for _, t := range words.Terms(strings.ToLower(name)) { // whatever its capitals, the index has it in small letters
		out = append(out, []string{index.SubjectMark(t)})
	}
	return out
}

// Gather reads all memories that a query selects through the index, until do says that it has enough or so many
// were read; 0 is all. more reports whether some are left.
func (e *Views) Gather(ctx context.Context, q store.Query, most int, do func(*store.Item) (bool, error)) (
	more bool, err error,
) {
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return false, core.Classify(err)
	}
	q.Spaces = spaces
	read := 0
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return false, core.Classify(err)
		}
		if read++; most > 0 && read > most {
			return true, nil
		}
		if it.Record == nil {
			continue
		}
		if again, err := do(it); err != nil || !again {
			return true, err
		}
	}
	return false, nil
}
