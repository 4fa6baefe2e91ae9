package state

import (
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// keeperOf begins the name of an introduction that is an appointment: the owner of a space says,
// in that space, that a person decides there as its owner does.
const keeperOf = "keeper of "

// ReservedName reports whether the name of an introduction says that it is an appointment or an
// acceptance. Nobody is introduced by such a name.
func ReservedName(name string) bool {
	return strings.HasPrefix(name, keeperOf) || strings.HasPrefix(name, accepts)
}

// AppointmentName returns the name of an introduction that appoints a keeper of a space.
func AppointmentName(space string) string { return keeperOf + space }

// appoints returns the space of which an introduction appoints a keeper, "" where it is none. It
// stands in the space that it names, so that whoever receives a record there receives it too.
func appoints(r *memory.Record, b *memory.Key) string {
	space, ok := strings.CutPrefix(b.Name, keeperOf)
	if !ok || b.Op != memory.OpIntroduce || space != r.Header.Space {
		return ""
	}
	return space
}

// Appointments returns those to keepers of a space that its owner made and did not take back.
func (k *Keyring) Appointments(space string) []Introduction {
	var out []Introduction
	for _, b := range k.keepers[space] {
		if v := k.appointer(b); v.Principal != "" && k.takenBack(b, v, nil) == nil {
			out = append(out, Introduction{v.Principal, k.Principal(b.Body.Key), b.Body.Key, "", b.Record})
		}
	}
	return out
}

// Keeps reports whether the owner of a space appointed a person as its keeper.
func (k *Keyring) Keeps(principal, space string) bool {
	return slices.ContainsFunc(k.Appointments(space), func(a Introduction) bool { return a.Whom == principal })
}

// keeps reports whether a record of a person counts as a keeper's of its space. It came after an
// appointment and before that was taken back, by the reader's log. Its own time lends it nothing:
// one before the appointment, after the dismissal, or ahead of when it came, never counts. So a
// dismissed keeper who did not sync yet has no state of their own.
func (k *Keyring) keeps(principal string, r *memory.Record) bool {
	if a, held := k.Arrival(r.ID); held && !a.At.IsZero() && r.Header.At.Time().After(a.At.Add(aheadBy)) {
		return false
	}
	for _, b := range k.keepers[r.Header.Space] {
		if b.ID == r.ID || k.Principal(b.Body.Key) != principal ||
			r.Header.At.Time().Before(b.Header.At.Time()) || k.surely(r, b.Record) {
			continue
		}
		v := k.appointer(b)
		if v.Principal == "" || k.takenBack(b, v, r) != nil {
			continue
		}
		if !k.endedBy(b, v, r.Header.At.Time()) {
			return true
		}
	}
	return false
}

// appointer returns the voice of the owner of a space who appoints a keeper of it, none where
// another does.
func (k *Keyring) appointer(b Of[*memory.Key]) Voice {
	v, fault := k.speaks(b.Record)
	if fault != Sound || !v.Owner || v.Principal != b.Header.Owner() {
		return Voice{}
	}
	return v
}

// takenBack returns the revocation with which a person took back an introduction of theirs, and
// which came before a record; before nil is any. A revocation that names an introduction takes
// back that alone.
func (k *Keyring) takenBack(b Of[*memory.Key], v Voice, before *memory.Record) *memory.Record {
	for _, o := range k.revocations[b.Body.Key] {
		if o.Body.Of == nil || o.Body.Of.ID != b.ID || before != nil && !k.first(o.Record, before) {
			continue
		}
		if by, fault := k.speaks(o.Record); fault == Sound && by == v {
			return o.Record
		}
	}
	return nil
}

// endedBy reports whether a person took back an introduction of theirs with a date before a time.
func (k *Keyring) endedBy(b Of[*memory.Key], v Voice, at time.Time) bool {
	return slices.ContainsFunc(k.revocations[b.Body.Key], func(o Of[*memory.Key]) bool {
		if o.Body.Of == nil || o.Body.Of.ID != b.ID || !at.After(o.Header.At.Time()) {
			return false
		}
		by, fault := k.speaks(o.Record)
		return fault == Sound && by == v
	})
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
	out := []string{b.Key}
	for at := b.Key; ; {
		next := k.Handed(at)
		if len(next) == 0 || slices.Contains(out, next[0]) {
			return out
		}
		out = append(out, next...)
		at = next[0]
	}
}
