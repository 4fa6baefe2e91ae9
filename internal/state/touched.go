package state

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

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

// Awaited returns the keys whose records may speak otherwise once the log of a space
// has a record at a place: a revocation counts from there.
func (k *Keyring) Awaited(space string, seq int64) []string {
	var out []string
	for _, v := range k.counted[mark{space, seq}] {
		out = append(out, k.Touched(v.Record)...)
	}
	return out
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

// touchedKeepers returns the keys of a keeper whose records count otherwise now that an
// appointment, or a revocation that takes one back, is here.
func (k *Keyring) touchedKeepers(r *memory.Record, b *memory.Key) []string {
	named := appoints(r, b) != ""
	if b.Op == memory.OpRevoke && b.Of != nil {
		for _, list := range k.keepers {
			named = named || slices.ContainsFunc(list, func(o Of[*memory.Key]) bool { return o.ID == b.Of.ID })
		}
	}
	if !named {
		return nil
	}
	return k.onward(b.Key)
}

// touchedOwners returns the keys whose records count otherwise now that a record about who owns a
// space is here: those of who owned it, and those of its keepers. A stranger's word touches none.
func (k *Keyring) touchedOwners(r *memory.Record, b *memory.Key) []string {
	space := k.handsOver(r, b)
	if space == "" {
		return nil
	}
	by := k.Principal(r.Header.Author)
	all := k.Tenures(space)
	if !slices.ContainsFunc(all, func(t Tenure) bool { return t.Owner == by }) {
		return nil
	}
	var out []string
	add := func(did string) {
		for _, key := range k.onward(did) {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	add(all[0].Owner)
	for _, h := range k.byOwners(space, all) {
		add(h.Body.Key)
	}
	for _, b := range k.keepers[space] {
		add(b.Body.Key)
	}
	return out
}

// onward returns a key and those to which rotations hand over from it, whether they count or not.
func (k *Keyring) onward(did string) []string {
	out := []string{did}
	for i := 0; i < len(out) && len(out) < maxHistory; i++ {
		for _, next := range k.Handed(out[i]) {
			if !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	return out
}
