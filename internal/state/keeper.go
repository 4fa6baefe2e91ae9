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

// Former returns the spaces that a person owned or kept and does not any more, with when that began.
func (k *Keyring) Former(principal string) map[string]memory.Time {
	out := make(map[string]memory.Time)
	add := func(space string, since memory.Time) {
		if old, is := out[space]; !is || since.Time().Before(old.Time()) {
			out[space] = since
		}
	}
	for space := range k.heirNames {
		for _, t := range k.Tenures(space) {
			switch {
			case t.Owner != principal:
			case t.By == nil:
				add(space, memory.Time{})
			default:
				add(space, t.By.Header.At)
			}
		}
	}
	for space, list := range k.keepers {
		for _, b := range list {
			if k.Principal(b.Body.Key) == principal && k.appointer(b) != "" {
				add(space, b.Header.At)
			}
		}
	}
	for space := range out {
		if now, _ := k.Owner(space); now == principal || k.Keeps(principal, space) {
			delete(out, space)
		}
	}
	return out
}
