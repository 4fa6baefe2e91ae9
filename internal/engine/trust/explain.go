package trust

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// witness shows one witness.
func (v *Vouching) Witness(w Verdict, refused map[memory.ID]string) api.TrustWitness {
	why, no := refused[w.ID]
	name := v.Called(w.Controller)
	if w.agent {
		name = "agent"
		if h := &w.record.Header; h.Agent != "" {
			name += " " + memory.Cut(h.Agent, 80)
		}
	}
	return api.TrustWitness{
		Ref: w.record.Ref().String(), Controller: core.Or(w.Controller, w.record.Header.Author), Name: name,
		Attestation: w.Says, Notes: w.record.Body.(*memory.Witness).Notes, At: w.record.Header.At.String(), Counts: !no, Why: why,
		Resolved: w.resolved(),
	}
}
