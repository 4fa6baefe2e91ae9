package state

import (
	"slices"

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

// Touched returns the keys whose records may speak otherwise now that r, a record
// about a key that was added, is here. What strangers say of a key touches none.
func (k *Keyring) Touched(r *memory.Record) []string {
	b, ok := As[*memory.Key](r)
	if !ok || !r.Header.Delegation.IsZero() {
		return nil
	}
	by, did := r.Header.Author, b.Body.Key
	if keys := k.touchedKeepers(r, b.Body); len(keys) > 0 {
		return keys
	}
	if keys := k.touchedOwners(r, b.Body); len(keys) > 0 {
		return keys
	}
	switch b.Body.Op {
	case memory.OpDelegate:
		return []string{did}
	case memory.OpInception, memory.OpRecovery:
		if by == did && b.Body.Next != "" {
			return []string{did}
		}
	case memory.OpRotate:
		before := b.Body.Previous
		switch {
		case !signedBy(r, did):
		case by == before || k.recovers(before, by):
			return []string{did, before}
		case b.Body.Next != "":
			return []string{did}
		}
	case memory.OpRevoke:
		if k.mayRevoke(by, did) {
			return []string{did}
		}
	}
	return nil
}

// mayRevoke reports whether a key is entitled, for some principal, to take another
// back.
func (k *Keyring) mayRevoke(by, did string) bool {
	p := k.Principal(by)
	if by == did || p == k.KeptBy || p == k.Principal(did) || k.recovers(did, by) {
		return true
	}
	for _, d := range k.delegations {
		if d.Body.Key == did && k.Principal(d.Header.Author) == p {
			return true
		}
	}
	return false
}
