package views

import (
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/memory"
)

// fromWords says where a memory came from as a search shows it: "3 episodes via
// consolidation", "raw:aaa111", "belief:abc123 (inference)".
func FromWords(r *memory.Record, fallen map[memory.ID]string) string {
	p := &r.Header.Provenance
	switch {
	case len(p.From) == 0:
		return trust.SourceWords(r, nil)
	case len(p.From) > 1:
		return trust.SourceWords(r, fallen) + " via " + p.Via.SourceType()
	case p.Via == memory.ViaPromote:
		return p.From[0].Short()
	default:
		return p.From[0].Short() + " (" + p.Via.SourceType() + ")"
	}
}
