package standing

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// Seen is what the rules see of a memory: its words and what it says of itself, not whether it came from outside.
func Seen(r *memory.Record) evolve.Memory {
	h := &r.Header
	it := evolve.Memory{Text: core.Compared(r), Kind: h.Kind, About: h.About, At: Happened(r)}
	if !h.ValidFrom.IsZero() {
		it.At = h.ValidFrom.Time()
	}
	if n, ok := r.Body.(*memory.Note); ok {
		it.Type = n.Type
	}
	return it
}
