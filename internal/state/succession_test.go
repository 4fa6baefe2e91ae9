package state

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// among folds each of some records with all others, and returns what takes its place.
func (s *scene) among(all ...*memory.Record) func(*memory.Record) *memory.Record {
	s.Helper()
	byID := make(map[memory.ID]*memory.Record)
	about := make(map[memory.ID][]*memory.Record)
	for _, r := range all {
		byID[r.ID] = r
	}
	for _, r := range all {
		for _, ref := range append(memory.Subjects(r.Body), r.Header.Provenance.Supersedes...) {
			about[ref.ID] = append(about[ref.ID], r)
		}
	}
	look := func(ref memory.Ref) (*memory.Record, []*memory.Record, error) {
		return byID[ref.ID], about[ref.ID], nil
	}
	return func(r *memory.Record) *memory.Record {
		s.Helper()
		got, err := FoldAmong(r, about[r.ID], noon.Add(24*time.Hour), s.ring, look)
		if err != nil {
			s.Fatal(err)
		}
		if got.SupersededBy.IsZero() {
			return nil
		}
		return byID[got.SupersededBy]
	}
}

// What was decided against replaces nothing, unless one person decided both. The owner of the space
// and a keeper of it are two people who may decide about all.
func TestWhatWasDecidedAgainstReplacesNothing(t *testing.T) {
	owner, keeper := someone(1), someone(2)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	for _, tt := range []struct {
		what     string
		verb     string
		by       actor // who decides against the newer one
		minute   int   // the link is of minute 5
		revision bool  // in place of the link
		names    bool  // the mark names the link that was decided about
		other    bool  // it names another link
		replaced bool
	}{
		{what: "rejected by the other", verb: memory.Reject, by: owner, minute: 6},
		{what: "rejected by the other before", verb: memory.Reject, by: owner, minute: 4},
		{what: "rejected by the same later", verb: memory.Reject, by: keeper, minute: 6, replaced: true},
		{what: "rejected by the same before, elsewhere", verb: memory.Reject, by: keeper, minute: 4},
		{what: "the same chose the other one later", verb: memory.Reject, by: keeper, minute: 6, names: true},
		{what: "the same chose a third one later", verb: memory.Reject, by: keeper, minute: 6, other: true, replaced: true},
		{what: "quarantined", verb: memory.Quarantine, by: owner, minute: 6},
		{what: "forgotten by the other", verb: memory.Forget, by: owner, minute: 6},
		{what: "forgotten by the same", verb: memory.Forget, by: keeper, minute: 6, replaced: true},
		{what: "approved by the other", verb: memory.Approve, by: owner, minute: 6, replaced: true},
		{what: "a revision, rejected by the other", verb: memory.Reject, by: owner, minute: 6, revision: true},
		{
			what: "a revision, rejected by its author", verb: memory.Reject, by: keeper, minute: 6, revision: true,
			replaced: true,
		},
		{
			what: "a revision, forgotten by the other", verb: memory.Forget, by: owner, minute: 6, revision: true,
			replaced: true,
		},
	} {
		s := newScene(t, owner)
		old := s.write(owner, noon, &memory.Belief{Statement: "the limit is 100"})
		newer := s.write(owner, at(1), &memory.Belief{Statement: "the limit is 300"})
		between := s.write(owner, at(2), &memory.Link{
			Source: old.Ref(), Target: newer.Ref(), Relation: memory.Contradict,
		})
		h := s.header(keeper, at(5))
		h.Provenance.Supersedes = []memory.Ref{between.Ref()}
		by := s.make(h, &memory.Link{Source: old.Ref(), Target: newer.Ref(), Relation: memory.Update})
		if tt.revision {
			newer = s.revise(keeper, at(5), "the limit is 300", old)
			by = newer
		}
		appointed := s.write(owner, noon, &memory.Key{
			Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space),
		})
		s.ring.Add(appointed)
		arrived := map[memory.ID]Arrival{appointed.ID: {Space: s.space, Seq: 1}}
		s.ring.Arrived = func(id memory.ID) (Arrival, bool) { a, ok := arrived[id]; return a, ok }
		mark := &memory.Mark{Of: ref(newer), Verb: tt.verb}
		if tt.names {
			mark.Also = []memory.Ref{between.Ref()}
		}
		if tt.other {
			third := s.write(owner, at(3), &memory.Link{Source: between.Ref(), Target: newer.Ref(), Relation: memory.Extend})
			mark.Also = []memory.Ref{third.Ref()}
		}
		m := s.write(tt.by, at(tt.minute), mark)
		for i, r := range []*memory.Record{old, newer, between, by, m} {
			arrived[r.ID] = Arrival{Space: s.space, Seq: int64(i + 2)}
		}
		replaced := s.among(old, newer, between, by, m)
		if got := replaced(old); (got != nil) != tt.replaced {
			t.Errorf("%s: the older is replaced by %v, want it replaced: %v", tt.what, got, tt.replaced)
		}
		if got := replaced(newer); got != nil {
			t.Errorf("%s: the newer is replaced by %v", tt.what, got)
		}
	}
}

// A chain leads past what was decided against, to what holds.
func TestAChainLeadsPastWhatWasDecidedAgainst(t *testing.T) {
	owner, member := someone(1), someone(2)
	s := newScene(t, owner)
	first := s.write(member, noon, &memory.Belief{Statement: "one"})
	second := s.revise(member, noon.Add(time.Minute), "two", first)
	third := s.revise(member, noon.Add(2*time.Minute), "three", second)
	no := s.write(owner, noon.Add(time.Hour), &memory.Mark{Of: ref(second), Verb: memory.Reject})
	replaced := s.among(first, second, third, no)
	if got := replaced(first); got != second {
		t.Errorf("the first is replaced by %v, want the second: the third took its place", got)
	}
	last := s.write(owner, noon.Add(time.Hour), &memory.Mark{Of: ref(third), Verb: memory.Reject})
	replaced = s.among(first, second, third, no, last)
	if a, b := replaced(first), replaced(second); a != nil || b != nil {
		t.Errorf("both later ones rejected: replaced by %v and %v, want the first to hold", a, b)
	}
}

// Of memories that people put in the place of one another in a circle, the last one holds, and no
// more than one.
func TestOfACircleTheLastHolds(t *testing.T) {
	owner := someone(1)
	for _, n := range []int{2, 3, 5} {
		s := newScene(t, owner)
		var all, mems []*memory.Record
		for i := range n {
			text := string(rune('a' + i))
			mems = append(mems, s.write(owner, noon.Add(time.Duration(i)*time.Second), &memory.Belief{Statement: text}))
		}
		all = append(all, mems...)
		for i := range n {
			all = append(all, s.write(owner, noon.Add(time.Duration(i+1)*time.Minute), &memory.Link{
				Source: mems[i].Ref(), Target: mems[(i+1)%n].Ref(), Relation: memory.Update,
			}))
		}
		replaced := s.among(all...)
		for i, r := range mems {
			if got := replaced(r); (got == nil) != (i == 0) {
				t.Errorf("%d of %d: replaced by %v; the last link put the first one there", i, n, got)
			}
		}
		beyond := s.revise(owner, noon.Add(time.Hour), "beyond", mems[n-1])
		replaced = s.among(append(all, beyond)...)
		for i, r := range mems {
			if replaced(r) == nil {
				t.Errorf("%d of %d holds beside what took the place of all", i, n)
			}
		}
	}
}

// What another purged gives the place back that a person gave it by a link.
func TestALinkToWhatAnotherPurgedReplacesNothing(t *testing.T) {
	owner, member := someone(1), someone(2)
	s := newScene(t, owner)
	old := s.write(owner, noon, &memory.Belief{Statement: "the limit is 100"})
	newer := s.write(member, noon, &memory.Belief{Statement: "the limit is 300"})
	by := s.write(owner, noon.Add(time.Minute), &memory.Link{
		Source: old.Ref(), Target: newer.Ref(), Relation: memory.Update,
	})
	for _, tt := range []struct {
		by       actor
		replaced bool
	}{{owner, true}, {member, false}} {
		purge := s.write(tt.by, noon.Add(time.Hour), &memory.Mark{Of: ref(newer), Verb: memory.Purge})
		s.space = owner.did + "/main"
		look := func(ref memory.Ref) (*memory.Record, []*memory.Record, error) {
			return nil, []*memory.Record{by, purge}, nil
		}
		got, err := FoldAmong(old, []*memory.Record{by}, noon.Add(24*time.Hour), s.ring, look)
		if err != nil || !got.SupersededBy.IsZero() != tt.replaced {
			t.Errorf("purged by %s: replaced by %s, %v, want it replaced: %v", tt.by.did[:16], got.SupersededBy, err,
				tt.replaced)
		}
	}
}
