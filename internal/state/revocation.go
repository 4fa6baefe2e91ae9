package state

import (
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// Revoked returns the revocation that takes effect for a key when it speaks for a principal,
// or nil. Only revocations by an entitled author count. One by the key itself, which a thief
// can sign too, comes after those by others; among the rest the first to arrive counts.
func (k *Keyring) Revoked(did, whose string) *Of[*memory.Key] {
	return k.revoked(did, whose, memory.ID{})
}

// revoked is Revoked for a key under a delegation, which may have been taken back
// alone.
func (k *Keyring) revoked(did, whose string, under memory.ID) *Of[*memory.Key] {
	if len(k.revocations[did]) == 0 {
		return nil
	}
	var own *Of[*memory.Key]
	var courts courts
	for _, v := range courts.of(k, did, whose, under) {
		switch {
		case v.Header.Author == did && own != nil, !courts.counts(k, v, did):
		case v.Header.Author == did:
			own = v
		default:
			return v
		}
	}
	return own
}

// courts are the revocations judged so far on the way to one answer: of each key
// that revoked others, whether it had been taken back itself by then. A revocation
// counts by what came before it, so each is judged once and none waits for itself.
type courts map[string]*court

// court is what is known about one key.
type court struct {
	left  []*Of[*memory.Key] // revocations of it that are not judged yet, the first first
	ended *Of[*memory.Key]   // the first that counts
}

// of returns the revocations of a key by authors who may be entitled, in order of arrival: the
// key itself, its recovery key, the principal it speaks for, and the keeper, in the keeper's
// own store.
func (courts) of(k *Keyring, did, whose string, under memory.ID) []*Of[*memory.Key] {
	var out []*Of[*memory.Key]
	next := k.next(did)
	for i := range k.revocations[did] {
		v := &k.revocations[did][i]
		by := v.Header.Author
		if of := v.Body.Of; of != nil && (of.ID != under || under.IsZero()) {
			continue // it takes back another delegation, or an introduction
		}
		if by != did && !saves(next, by) {
			if p := k.Principal(by); p != whose && (k.KeptBy == "" || p != k.KeptBy) {
				continue
			}
		}
		out = append(out, v)
	}
	if len(out) == 1 {
		return out
	}
	at := make([]moment, len(out))
	order := make([]int, len(out))
	for i, v := range out {
		at[i], order[i] = moment{k: k, id: v.ID}, i
	}
	sorting.By(order, func(a, b int) int { return at[a].compare(&at[b]) })
	sorted := make([]*Of[*memory.Key], len(out))
	for i, from := range order {
		sorted[i] = out[from]
	}
	return sorted
}

// counts reports whether the author of a revocation returned by of could still revoke the key
// when it arrived.
func (c *courts) counts(k *Keyring, v *Of[*memory.Key], did string) bool {
	by := v.Header.Author
	if by != did && k.recovers(did, by) {
		return true
	}
	if w := k.successor(by); w != nil && k.surely(w.Record, v.Record) {
		return false // a key that was replaced takes nothing back
	}
	if by == did {
		return true
	}
	return k.barred(by) == nil && !c.endedBefore(k, by, v.Record)
}

// endedBefore reports whether a key had been taken back when a record came.
func (c *courts) endedBefore(k *Keyring, did string, r *memory.Record) bool {
	if len(k.revocations[did]) == 0 {
		return false
	}
	whose := k.Principal(did)
	known := (*c)[did]
	if known == nil {
		known = &court{left: c.of(k, did, whose, memory.ID{})}
		if *c == nil {
			*c = make(courts)
		}
		(*c)[did] = known
	}
	for known.ended == nil && len(known.left) > 0 && k.first(known.left[0].Record, r) {
		v := known.left[0]
		known.left = known.left[1:] // what it waits for came before it
		if c.counts(k, v, did) {
			known.ended = v
		}
	}
	return known.ended != nil && k.first(known.ended.Record, r)
}

// after reports whether a record came when a revocation already counted: after
// the place in the reader's log that it names, or else after itself.
func (k *Keyring) after(v *Of[*memory.Key], at *moment) bool {
	if at.ask(); !at.held {
		return true
	}
	if v.Body.From == "" || k.Agrees == nil {
		return k.moment(v.ID).before(at)
	}
	lines := fromLines(v.Body.From)
	named := false
	for _, l := range lines {
		if l.space != at.place.Space {
			continue
		}
		if named = true; k.Agrees(l.space, l.size, l.root) {
			return at.place.Seq > l.size
		}
	}
	// The log has the others, and this space was not there then. For a space that was there, a
	// different order of arrival shows nothing: what the key wrote in it before precedes the
	// revocation, unless a thief had the key.
	for _, l := range lines {
		if l.space != at.place.Space && (!named || v.Body.Reason == memory.Compromised) && k.Agrees(l.space, l.size, l.root) {
			return true
		}
	}
	return k.moment(v.ID).before(at)
}

// barred returns the revocation by which the keeper of this store keeps a key from succeeding
// one that the keeper revoked before it was handed over; nil if there is none.
func (k *Keyring) barred(did string) *Of[*memory.Key] {
	if k.KeptBy == "" || len(k.revocations) == 0 || len(k.follows[did]) == 0 {
		return nil
	}
	past := k.past(did)
	if past[len(past)-1].key == k.KeptBy {
		return nil
	}
	for _, s := range past {
		if s.by == nil {
			break
		}
		before := s.by.Body.Previous
		if len(k.revocations[before]) == 0 {
			continue
		}
		said := s.by
		if said.Header.Author != before {
			said = k.commitment(before) // the recovery key speaks from when it was named
		}
		var courts courts
		for _, v := range courts.of(k, before, k.KeptBy, memory.ID{}) {
			if v.Header.Author != before && said != nil && k.first(v.Record, said.Record) && courts.counts(k, v, before) {
				return v
			}
		}
	}
	return nil
}
