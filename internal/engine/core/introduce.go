package core

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

func KeyHeader(context string) memory.Header {
	return memory.Header{Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: context}}
}

// ownerOnly refuses an agent what only a person may do.
func (e *Core) OwnerOnly(what string) error {
	if e.C.Origin == memory.OriginOwner {
		return nil
	}
	return &Failure{Kind: api.ErrForbidden, Text: "only a person may " + what + ": run it yourself at a terminal"}
}
