package core

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/shelves"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// Damaged says in one line that a table which is made of records is damaged, so that
// answers come from the records themselves; "" where nothing was met. A face says it once.
func (e *Core) Damaged() string {
	stores := []store.Store{e.Store}
	if two, ok := e.Store.(*shelves.Store); ok {
		stores = two.Both()
	}
	for _, one := range stores {
		if s, ok := Inside(one).(*sqlstore.Store); ok {
			if says := s.Damaged(); says != "" {
				return says
			}
		}
	}
	return ""
}
