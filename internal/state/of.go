package state

import "github.com/stemma-memory/stemma/memory"

// Of is a record whose body type is known: b.Header.Author, b.Body.Statement.
type Of[T memory.Body] struct {
	*memory.Record
	Body T
}

// As narrows r to a kind: if b, ok := state.As[*memory.Belief](r); ok {…}
func As[T memory.Body](r *memory.Record) (Of[T], bool) {
	b, ok := r.Body.(T)
	return Of[T]{r, b}, ok
}
