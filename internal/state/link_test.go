package state

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// TestFoldLink: a link proposes; only what the owner links himself supersedes, until
// he takes it back.
func TestFoldLink(t *testing.T) {
	owner, stranger := someone(1), someone(9)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	old := s.write(agent, noon, &memory.Belief{Statement: "Alice works at Acme"})
	newer := s.write(agent, noon.Add(time.Minute), &memory.Belief{Statement: "Alice works at StartupX"})
	note := s.write(agent, noon.Add(time.Minute), &memory.Note{Type: "observation", Summary: "Alice works at StartupX"})
	at := noon.Add(2 * time.Minute)
	link := func(by actor, relation string, from, to *memory.Record) *memory.Record {
		return s.write(by, at, &memory.Link{Source: from.Ref(), Target: to.Ref(), Relation: relation})
	}
	for what, c := range map[string]*memory.Record{
		"an agent's update":        link(agent, memory.Update, old, newer),
		"a stranger's update":      link(stranger, memory.Update, old, newer),
		"the owner's extension":    link(owner, memory.Extend, old, newer),
		"the owner's update to it": link(owner, memory.Update, newer, old),
		"an update by a note":      link(owner, memory.Update, old, note),
	} {
		if got := s.fold(old, c); !got.SupersededBy.IsZero() || got.Links != 1 {
			t.Errorf("%s: %+v, want one link that does nothing", what, got)
		}
	}
	proposed := link(agent, memory.Update, old, newer)
	h := s.header(owner, at.Add(time.Minute))
	h.Provenance.Supersedes = []memory.Ref{proposed.Ref()}
	accepted := s.make(h, &memory.Link{Source: old.Ref(), Target: newer.Ref(), Relation: memory.Update})
	if got := s.fold(old, proposed, accepted); got.SupersededBy != newer.ID || got.Links != 1 {
		t.Errorf("accepted: %+v, want it superseded by %s", got, newer.ID.Short())
	}
	if got := s.fold(proposed, accepted); got.SupersededBy != accepted.ID || got.Live() {
		t.Errorf("the link that was accepted: %+v, want it superseded", got)
	}
	if got := s.fold(newer, proposed, accepted); !got.Live() {
		t.Errorf("what replaces: %+v", got)
	}
	revised := s.revise(agent, at, "Alice worked at Acme", old)
	if got := s.fold(old, accepted, revised); got.SupersededBy != revised.ID {
		t.Errorf("with a revision: %+v, want that", got)
	}
	back := s.header(owner, at.Add(2*time.Minute))
	back.Provenance.Supersedes = []memory.Ref{accepted.Ref()}
	undone := s.make(back, &memory.Link{Source: old.Ref(), Target: newer.Ref(), Relation: memory.Contradict})
	if got := s.fold(old, proposed, accepted, undone); !got.SupersededBy.IsZero() {
		t.Errorf("taken back: %+v", got)
	}
	no := s.write(owner, at, &memory.Mark{Of: ref(proposed), Verb: memory.Reject})
	if got := s.fold(proposed, no); got.Review != ReviewRejected || got.Live() {
		t.Errorf("a link that was rejected: %+v", got)
	}
}

// What a policy lets an agent link supersedes what an agent of the same owner wrote, whenever
// the link says that it was made: nothing that a person wrote, approved or protected, and
// nothing of another owner's.
func TestFoldPolicyLink(t *testing.T) {
	owner, friend := someone(1), someone(9)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	theirs := s.delegate(friend, 3, memory.Time{}, memory.OriginAgent)
	newer := s.write(agent, noon.Add(time.Minute), &memory.Belief{Statement: "Alice works at StartupX"})
	link := func(by actor, old *memory.Record) *memory.Record {
		h := s.header(by, noon.Add(2*time.Minute))
		h.Provenance.Context = ByPolicy
		return s.make(h, &memory.Link{Source: old.Ref(), Target: newer.Ref(), Relation: memory.Update})
	}
	says := func(by actor) *memory.Record {
		return s.write(by, noon, &memory.Belief{Statement: "Alice works at Acme"})
	}
	mark := func(by actor, after time.Duration, verb string, of *memory.Record) *memory.Record {
		return s.write(by, noon.Add(after), &memory.Mark{Of: ref(of), Verb: verb})
	}
	old := says(agent)
	for what, tt := range map[string]struct {
		old  *memory.Record
		by   actor
		also []*memory.Record
		want bool
	}{
		"an agent's":                 {old, agent, nil, true},
		"a person's":                 {says(owner), agent, nil, false},
		"approved before":            {old, agent, []*memory.Record{mark(owner, time.Minute, memory.Approve, old)}, false},
		"approved after":             {old, agent, []*memory.Record{mark(owner, time.Hour, memory.Approve, old)}, false},
		"protected":                  {old, agent, []*memory.Record{mark(owner, time.Minute, memory.Protect, old)}, false},
		"an agent's own approval":    {old, agent, []*memory.Record{mark(agent, time.Minute, memory.Approve, old)}, true},
		"by another owner's agent":   {old, theirs, nil, false},
		"of another owner's agent's": {says(theirs), agent, nil, false},
	} {
		if got := s.fold(tt.old, append(tt.also, link(tt.by, tt.old))...); got.SupersededBy == newer.ID != tt.want {
			t.Errorf("%s: superseded by %s, want it %v", what, got.SupersededBy.Short(), tt.want)
		}
	}
}

// Who wrote a link about another's memory does not say alone that it asks nobody: who may decide
// about both memories does, and the owner and the keepers of the space.
func TestALinkIsSettledByThoseWhoMayDecideAboutBoth(t *testing.T) {
	owner, member := someone(1), someone(2)
	s := newScene(t, owner)
	aid := s.delegate(member, 3, memory.Time{}, memory.OriginAgent)
	owners := s.write(owner, noon, &memory.Belief{Statement: "the limit is 100"})
	members := s.write(member, noon, &memory.Belief{Statement: "the limit is 300"})
	another := s.write(member, noon, &memory.Belief{Statement: "the limit is 500"})
	link := func(a, b *memory.Record) *memory.Record {
		return s.write(aid, noon, &memory.Link{Source: a.Ref(), Target: b.Ref(), Relation: memory.Contradict})
	}
	between, own := link(owners, members), link(members, another)
	records := map[memory.ID]*memory.Record{owners.ID: owners, members.ID: members, another.ID: another}
	look := func(ref memory.Ref) (*memory.Record, []*memory.Record, error) { return records[ref.ID], nil, nil }
	for _, tt := range []struct {
		what  string
		link  *memory.Record
		by    actor
		verb  string
		hides bool
	}{
		{"its author rejects it", between, member, memory.Reject, false},
		{"its author forgets it", between, member, memory.Forget, false},
		{"the owner of the space rejects it", between, owner, memory.Reject, true},
		{"between memories of the author", own, member, memory.Reject, true},
	} {
		said := s.write(tt.by, noon.Add(time.Minute), &memory.Mark{Of: ref(tt.link), Verb: tt.verb})
		got, err := FoldAmong(tt.link, []*memory.Record{said}, noon.Add(time.Hour), s.ring, look)
		if err != nil || got.Live() == tt.hides {
			t.Errorf("%s: %+v, %v, want it hidden: %v", tt.what, got, err, tt.hides)
		}
	}
	h := s.header(member, noon.Add(time.Minute))
	h.Provenance.Supersedes = []memory.Ref{between.Ref()}
	instead := s.make(h, &memory.Link{Source: owners.Ref(), Target: members.Ref(), Relation: memory.Extend})
	got, err := FoldAmong(between, []*memory.Record{instead}, noon.Add(time.Hour), s.ring, look)
	if err != nil || !got.Live() {
		t.Errorf("replaced by its author: %+v, %v, want that it asks still", got, err)
	}
	records[owners.ID] = nil
	said := s.write(member, noon.Add(time.Minute), &memory.Mark{Of: ref(between), Verb: memory.Reject})
	if got, err = FoldAmong(between, []*memory.Record{said}, noon.Add(time.Hour), s.ring, look); err != nil || got.Live() {
		t.Errorf("where the other memory is not held: %+v, %v, want it hidden", got, err)
	}
}
