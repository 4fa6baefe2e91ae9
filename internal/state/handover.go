package state

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// ownerOf begins the name of an introduction that names an heir: the owner of a space says, in
// that space, who owns it next. The revocation that takes it back, and that says which decisions
// of the owner hold, hands the space over.
const ownerOf = "owner of "

// HeirName returns the name of an introduction that names the next owner of a space.
func HeirName(space string) string { return ownerOf + space }

// NamesHeir returns the space of which a record names the next owner, "" where it is another record.
func NamesHeir(r *memory.Record) string {
	return new(Keyring).HandsOver(r)
}

// HandsOver returns the space of which a record names the next owner, or takes such a name back, which
// hands the space over; "" where it is another record.
func (k *Keyring) HandsOver(r *memory.Record) string {
	if b, ok := As[*memory.Key](r); ok && r.Header.Delegation.IsZero() {
		return k.handsOver(r, b.Body)
	}
	return ""
}

func (k *Keyring) handsOver(r *memory.Record, b *memory.Key) string {
	if b.Op == memory.OpRevoke && b.Of != nil {
		for _, n := range k.heirNames[r.Header.Space] {
			if n.ID == b.Of.ID {
				return r.Header.Space
			}
		}
	}
	return namesHeir(r, b)
}

func namesHeir(r *memory.Record, b *memory.Key) string { return givesIn(r, b, ownerOf) }

// A Tenure is the time in which one person owned a space.
type Tenure struct {
	Owner string         // a principal
	By    *memory.Record // the handover with which it began; nil of the first
}

// Tenures returns who owned a space, the first first. Each owner hands over once: of several
// handovers by one owner the one with the earliest date counts, and of those the smaller ID, so
// that the order in which they come decides nothing. One that is dated before its signer became
// the owner does not count.
func (k *Keyring) Tenures(space string) []Tenure {
	first, _, _ := strings.Cut(space, "/")
	out := []Tenure{{Owner: first}}
	if len(k.heirNames[space]) == 0 {
		return out
	}
	for len(out) < maxHistory {
		last := out[len(out)-1]
		var next *memory.Record
		for _, h := range k.handovers(space, last.Owner) {
			if last.By != nil && h.Header.At.Time().Before(last.By.Header.At.Time()) ||
				slices.ContainsFunc(out, func(t Tenure) bool { return t.By != nil && t.By.ID == h.ID }) {
				continue
			}
			if next == nil || earlier(h.Record, next) {
				next = h.Record
			}
		}
		if next == nil {
			break
		}
		out = append(out, Tenure{k.Principal(next.Body.(*memory.Key).Key), next})
	}
	return out
}

// handovers returns those of a space to others that a person signed with a key that spoke then. How
// many strangers sign costs no more than looking at who they are.
func (k *Keyring) handovers(space, by string) (out []Of[*memory.Key]) {
	mine := k.History(by)
	for _, n := range k.heirNames[space] {
		if !slices.Contains(mine, n.Header.Author) || k.Principal(n.Body.Key) == by {
			continue
		}
		for _, h := range k.revocations[n.Body.Key] {
			if h.Body.Of == nil || h.Body.Of.ID != n.ID || h.Header.Space != space || k.holds[h.ID] == nil ||
				!slices.Contains(mine, h.Header.Author) {
				continue
			}
			if v, fault := k.speaks(h.Record); fault == Sound && v.Owner {
				out = append(out, h)
			}
		}
	}
	return out
}

// earlier orders records by date, then by ID.
func earlier(a, b *memory.Record) bool {
	if n := a.Header.At.Time().Compare(b.Header.At.Time()); n != 0 {
		return n < 0
	}
	return a.ID.Compare(b.ID) < 0
}

// Owner returns the principal who owns a space now, and whether the space was handed over.
func (k *Keyring) Owner(space string) (principal string, handed bool) {
	all := k.Tenures(space)
	return all[len(all)-1].Owner, len(all) > 1
}

func (k *Keyring) handedOver(space string) bool {
	_, handed := k.Owner(space)
	return handed
}

// Disputed returns the handovers of a space that do not count although their signer owned it: the
// same person had handed it over already.
func (k *Keyring) Disputed(space string) (out []*memory.Record) {
	all := k.Tenures(space)
	for _, h := range k.byOwners(space, all) {
		if !slices.ContainsFunc(all, func(t Tenure) bool { return t.By != nil && t.By.ID == h.ID }) {
			out = append(out, h.Record)
		}
	}
	slices.SortFunc(out, func(a, b *memory.Record) int { return a.ID.Compare(b.ID) })
	return out
}

// byOwners returns the handovers of a space by those who owned it.
func (k *Keyring) byOwners(space string, all []Tenure) (out []Of[*memory.Key]) {
	if len(k.heirNames[space]) == 0 {
		return nil
	}
	var done []string
	for _, t := range all {
		if !slices.Contains(done, t.Owner) {
			done = append(done, t.Owner)
			out = append(out, k.handovers(space, t.Owner)...)
		}
	}
	return out
}

// owns reports whether a record of a person is the word of the owner of a space. Where the space
// was handed over, it stands in the space, is dated in a time in which the person owned it, and
// the handover that ended that time does not leave it out. When it came decides nothing.
func (k *Keyring) owns(principal, space string, r *memory.Record) bool {
	all := k.Tenures(space)
	if principal == "" || len(all) > 1 && r.Header.Space != space {
		return false
	}
	for i, t := range all {
		if t.Owner != principal || t.By != nil && r.Header.At.Time().Before(t.By.Header.At.Time()) {
			continue
		}
		if i+1 == len(all) || all[i+1].By.ID == r.ID || !k.leftOut(r, all[i+1].By) {
			return true
		}
	}
	return false
}
