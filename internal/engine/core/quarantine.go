package core

import (
	"github.com/stemma-memory/stemma/memory"
)

func IdsOf(refs []memory.Ref) []memory.ID {
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return ids
}
