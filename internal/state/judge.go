package state

import (
	"github.com/stemma-memory/stemma/memory"
)

// Voice returns the voice with which r speaks.
func (k *Keyring) Voice(r *memory.Record) Voice {
	v, fault := k.Judge(r)
	if fault != Sound {
		return Voice{}
	}
	return v
}

// Fault returns why r speaks for no one.
func (k *Keyring) Fault(r *memory.Record) Fault {
	_, fault := k.Judge(r)
	return fault
}

// Judge returns the voice that r claims, and the fault of the claim. A faulty record speaks as
// a stranger's. Of two faults the graver one is returned.
func (k *Keyring) Judge(r *memory.Record) (Voice, Fault) {
	v, fault := k.speaks(r)
	if v.Owner && fault == Sound && len(k.keepers[r.Header.Space]) > 0 && k.keeps(v.Principal, r) {
		v.Keeps = r.Header.Space
	}
	if fault == Sound && k.handedOver(r.Header.Space) && k.owns(v.Principal, r.Header.Space, r) {
		v.Owns = r.Header.Space
	}
	return v, fault
}
