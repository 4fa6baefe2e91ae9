package views

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// applied reports whether a link took effect without a person.
func Applied(it *store.Item) bool {
	l, ok := it.Record.Body.(*memory.Link)
	return ok && l.Relation == memory.Update && it.Record.Header.Provenance.Context == memory.ByPolicy
}
