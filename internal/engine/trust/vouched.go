package trust

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The marks with which a keeper says, in a space, that a person is who they say, and takes it
// back. The target is the key, the value of the first is the person's name.
const (
	VouchVerb   = "vouch"
	UnvouchVerb = "unvouch"
)

// A member is somebody whom an accepted keeper of a space vouches for, or the keeper.
type member struct {
	name, by string // by is the keeper's principal
}

// Vouches are what the keepers of some spaces that the reader accepted say of members, by space
// and principal.
type vouches map[string]map[string]member

// vouches reads what counts now. A keeper counts who was accepted for this space, whom its owner
// appointed or who owns it, and whose key was not revoked; a vouch, if a person said it in the
// space while they were keeper. Where no keeper was accepted, nothing is read.
func (e *Scores) vouches(rd *Reading, v *Context) (vouches, error) {
	var out vouches
	for _, a := range v.Ring.Acceptances(v.Root) {
		if !KeepsSpace(v.Ring, a.Whom, a.Space) {
			continue
		}
		if out == nil {
			out = make(vouches)
		}
		if out[a.Space] == nil {
			out[a.Space] = make(map[string]member)
		}
		said, err := e.Vouched(rd, v.Ring, a.Whom, a.Space)
		if err != nil {
			return nil, err
		}
		for p, name := range said {
			if p != v.Root && out[a.Space][p].by == "" {
				out[a.Space][p] = member{name, a.Whom}
			}
		}
		if a.Whom != v.Root {
			out[a.Space][a.Whom] = member{out[a.Space][a.Whom].name, a.Whom}
		}
	}
	return out, nil
}

// KeepsSpace reports whether a person keeps a space now: they own it, or its owner appointed
// them, and their key was not revoked.
func KeepsSpace(ring *state.Keyring, principal, space string) bool {
	owner, _ := ring.Owner(space)
	return (owner == principal || ring.Keeps(principal, space)) &&
		ring.Revoked(ring.Current(principal), principal) == nil
}

// Vouched returns the people, with their names, for whom a keeper vouches in a space.
func (e *Scores) Vouched(
	rd *Reading, ring *state.Keyring, keeper, space string,
) (map[string]string, error) {
	out := make(map[string]string)
	last := make(map[string]store.Seq)
	for _, did := range ring.History(keeper) {
		q := store.Query{
			Kinds: []memory.Kind{memory.KindMark}, Author: did, Spaces: []string{space}, Hidden: true, Oldest: true,
		}
		for it, err := range e.Store.List(rd, q) {
			if err != nil {
				return nil, core.Classify(err)
			}
			if it.Record == nil || it.Doubt != "" {
				continue
			}
			m, ok := it.Record.Body.(*memory.Mark)
			if !ok || m.Verb != VouchVerb && m.Verb != UnvouchVerb {
				continue
			}
			p, ok := vouchedFor(ring, m)
			by := ring.Voice(it.Record)
			if !ok || !by.Owner || by.Principal != keeper || !state.OwnsSpace(by, space, ring) && by.Keeps != space ||
				it.Seq < last[p] {
				continue
			}
			last[p] = it.Seq
			if delete(out, p); m.Verb == VouchVerb {
				out[p] = m.Value
			}
		}
	}
	return out, nil
}

// vouchedFor returns whom a mark is about.
func vouchedFor(ring *state.Keyring, m *memory.Mark) (string, bool) {
	const author = "author:"
	if len(m.Target) <= len(author) || m.Target[:len(author)] != author {
		return "", false
	}
	return ring.Principal(m.Target[len(author):]), true
}

// VouchedBy returns the name of a member of a space and the keeper who vouches for them, "" for
// nobody.
func (v *Context) VouchedBy(principal, space string) (name, keeper string) {
	m := v.members[space][principal]
	return m.name, m.by
}

// vouchedName returns the name under which a keeper vouches for a member, "" where it is another's
// name to the reader: of somebody introduced, of another member, or the reader's own.
func (v *Context) vouchedName(principal, space string) string {
	name, _ := v.VouchedBy(principal, space)
	name = strings.Join(strings.Fields(name), " ")
	if strings.EqualFold(name, "you") {
		return ""
	}
	for _, known := range v.names {
		if strings.EqualFold(known, name) {
			return ""
		}
	}
	for p, m := range v.members[space] {
		if p != principal && strings.EqualFold(m.name, name) {
			return ""
		}
	}
	return name
}

// member reports whether a memory may be listed as observed although another person wrote it: in
// a space of which the reader accepted a keeper, by somebody whom the keeper vouches for.
func (s *scoring) member(r *memory.Record) bool {
	if len(s.members) == 0 || s.foreign {
		return false
	}
	if core.Elsewhere(r) {
		return false
	}
	_, by := s.VouchedBy(s.Controller(r), r.Header.Space)
	return by != ""
}

// memberClean reports whether everything behind a member's memory is the reader's own or of
// members too. Captures are not sent, so one that is not held is the member's own words.
func (s *scoring) memberClean(r *memory.Record, seen map[memory.ID]bool) bool {
	for _, id := range behind(r) {
		if seen[id] {
			continue
		}
		seen[id] = true
		it := s.held[id]
		if it == nil {
			if kind := s.gone[id].Kind; kind != "" && kind != memory.KindRaw ||
				kind == "" && cites(r, id) && kindCited(r, id) != memory.KindRaw {
				return false
			}
			continue
		}
		own := s.Controller(it.Record)
		ours := own != "" && own == s.Root && !core.Elsewhere(it.Record)
		words := it.Ref.Kind == memory.KindRaw && own != "" && own == s.Controller(r) && !core.Elsewhere(it.Record)
		if it.Doubt != "" || s.flaw(it) != "" || !ours && !words && !s.member(it.Record) ||
			!s.memberClean(it.Record, seen) {
			return false
		}
	}
	return true
}
