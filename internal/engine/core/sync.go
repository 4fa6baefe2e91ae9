package core

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/shelves"
)

// first gives the store that is written to, without the one beside it.
func (e *Core) First() store.Store {
	if two, ok := e.Store.(*shelves.Store); ok {
		return two.Store
	}
	return e.Store
}

// inside gives a store without the door before it, for who looks for damage or
// copies all of it.
func Inside(s store.Store) store.Store {
	if d, ok := s.(*door.Store); ok {
		return d.Inside()
	}
	return s
}
