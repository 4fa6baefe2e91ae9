package state

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// speaks is Judge without what a person was appointed to.
func (k *Keyring) speaks(r *memory.Record) (Voice, Fault) {
	h := &r.Header
	if h.Delegation.IsZero() {
		whose := k.Principal(h.Author)
		return Voice{Principal: whose, Owner: true}, k.ended(h.Author, whose, memory.ID{}, r.ID)
	}
	d, held := k.delegations[h.Delegation]
	if !held || d.Body.Key != h.Author || !slices.Contains(d.Body.Origins, h.Origin) {
		return Voice{}, DelegationInvalid
	}
	v := Voice{Principal: k.Principal(d.Header.Author)}
	fault := k.ended(d.Header.Author, v.Principal, memory.ID{}, d.ID)
	if own := k.ended(h.Author, v.Principal, d.ID, r.ID); fault == Sound || own == KeyCompromised {
		fault = own
	}
	if e := d.Body.Expires; fault == Sound && !e.IsZero() && h.At.Time().After(e.Time()) {
		fault = KeyExpired
	}
	return v, fault
}

// ended reports whether a key, under a delegation or none, no longer spoke for a
// principal when a record of it came.
func (k *Keyring) ended(did, whose string, under, record memory.ID) Fault {
	at := k.moment(record)
	fault := Sound
	if v := k.revoked(did, whose, under); v != nil && v.ID != record && k.after(v, at) {
		if v.Body.Reason == memory.Compromised {
			return KeyCompromised
		}
		fault = KeyRevoked
	}
	if w := k.successor(did); w != nil && w.ID != record && k.moment(w.ID).before(at) {
		fault = KeyRevoked
	}
	if v := k.barred(did); v != nil {
		if v.Body.Reason == memory.Compromised {
			return KeyCompromised
		}
		fault = KeyRevoked
	}
	return fault
}
