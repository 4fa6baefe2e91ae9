package state

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// An Introduction is one principal's word that another is somebody.
type Introduction struct {
	By, Whom string // principals
	Key      string // as it was introduced
	Name     string
	Record   *memory.Record
}

// Introductions returns those that were not taken back, the oldest first. A
// revocation that names an introduction of the same principal takes it back, and
// no record of the key's.
func (k *Keyring) Introductions() []Introduction {
	var out []Introduction
	for _, b := range k.introduced {
		v, fault := k.speaks(b.Record)
		if fault != Sound || !v.Owner || v.Principal == "" {
			continue
		}
		if !k.takenBack(b, v) {
			out = append(out, Introduction{v.Principal, k.Principal(b.Body.Key), b.Body.Key, b.Body.Name, b.Record})
		}
	}
	sorting.By(out, func(a, b Introduction) int {
		return cmp.Or(a.Record.Header.At.Time().Compare(b.Record.Header.At.Time()), a.Record.ID.Compare(b.Record.ID))
	})
	return out
}

// takenBack reports whether a person took back an introduction of theirs. A revocation that names
// an introduction takes back that alone.
func (k *Keyring) takenBack(b Of[*memory.Key], v Voice) bool {
	return slices.ContainsFunc(k.revocations[b.Body.Key], func(o Of[*memory.Key]) bool {
		if o.Body.Of == nil || o.Body.Of.ID != b.ID {
			return false
		}
		by, fault := k.speaks(o.Record)
		return fault == Sound && by == v
	})
}
