package state

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// keeperOf begins the name of an introduction that is an appointment: the owner of a space says,
// in that space, that a person decides there as its owner does.
const keeperOf = "keeper of "

// ReservedName reports whether the name of an introduction says that it is an appointment, an
// acceptance or a handover. People are not introduced by such a name.
func ReservedName(name string) bool {
	return strings.HasPrefix(name, keeperOf) || strings.HasPrefix(name, accepts) || strings.HasPrefix(name, ownerOf)
}

// AppointmentName returns the name of an introduction that appoints a keeper of a space.
func AppointmentName(space string) string { return keeperOf + space }

// appoints returns the space of which an introduction appoints a keeper, "" where it is none.
func appoints(r *memory.Record, b *memory.Key) string { return givesIn(r, b, keeperOf) }

// givesIn returns the space that the name of an introduction names after a prefix, "" where it is
// another introduction. It is in the space that it names, so that a reader of a record
// there receives it too.
func givesIn(r *memory.Record, b *memory.Key, prefix string) string {
	space, ok := strings.CutPrefix(b.Name, prefix)
	if !ok || b.Op != memory.OpIntroduce || space != r.Header.Space {
		return ""
	}
	return space
}

// Appointments returns those to keepers of a space that its owner made and did not take back.
func (k *Keyring) Appointments(space string) []Introduction {
	var out []Introduction
	for _, b := range k.keepers[space] {
		if by := k.appointer(b); by != "" && k.dismissal(b) == nil {
			out = append(out, Introduction{by, k.Principal(b.Body.Key), b.Body.Key, "", b.Record})
		}
	}
	return out
}

// Keeps reports whether the owner of a space appointed a person as its keeper.
func (k *Keyring) Keeps(principal, space string) bool {
	return slices.ContainsFunc(k.Appointments(space), func(a Introduction) bool { return a.Whom == principal })
}

// keeps reports whether a record of a person counts as a keeper's of its space: it is dated after
// an appointment, and the dismissal does not leave it out. When it came decides nothing, so that
// all stores hold one state, and a dismissed keeper who did not sync yet has none of their own.
func (k *Keyring) keeps(principal string, r *memory.Record) bool {
	for _, b := range k.keepers[r.Header.Space] {
		if b.ID == r.ID || k.Principal(b.Body.Key) != principal ||
			r.Header.At.Time().Before(b.Header.At.Time()) || k.appointer(b) == "" {
			continue
		}
		if d := k.dismissal(b); d == nil || !k.leftOut(r, d) {
			return true
		}
	}
	return false
}

// leftOut reports whether a decision does not hold after a revocation: the revocation does not
// name it. Where it names none, a decision that came after it, or is dated after it, does not hold.
func (k *Keyring) leftOut(r, by *memory.Record) bool {
	if h := k.holds[by.ID]; h != nil && !h.byLog {
		return !h.names(r.ID)
	}
	return k.first(by, r) || r.Header.At.Time().After(by.Header.At.Time())
}

// appointer returns the owner of a space who appoints a keeper of it, "" where another does.
func (k *Keyring) appointer(b Of[*memory.Key]) string {
	v, fault := k.speaks(b.Record)
	if fault != Sound || !v.Owner || !k.owns(v.Principal, b.Header.Space, b.Record) {
		return ""
	}
	return v.Principal
}

// dismissal returns the revocation with which an owner of a space took an appointment back, nil
// where none did. Of several the one with the earliest date counts, then the smaller ID.
func (k *Keyring) dismissal(b Of[*memory.Key]) (first *memory.Record) {
	for _, o := range k.revocations[b.Body.Key] {
		if o.Body.Of == nil || o.Body.Of.ID != b.ID || first != nil && !earlier(o.Record, first) {
			continue
		}
		if by, fault := k.speaks(o.Record); fault == Sound && by.Owner && k.owns(by.Principal, b.Header.Space, o.Record) {
			first = o.Record
		}
	}
	return first
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
