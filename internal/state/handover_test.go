package state

import (
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// handing is a scene in which records come one after the other.
type handing struct {
	*scene
	t       *testing.T
	arrived map[memory.ID]Arrival
	all     []*memory.Record
	belief  *memory.Record // of a member
}

func newHanding(t *testing.T, owner, member actor) *handing {
	h := &handing{scene: newScene(t, owner), t: t, arrived: make(map[memory.ID]Arrival)}
	h.ring.Arrived = func(id memory.ID) (Arrival, bool) { a, ok := h.arrived[id]; return a, ok }
	h.belief = h.came(h.write(member, noon, &memory.Belief{Statement: "the sky is blue"}))
	return h
}

func (h *handing) came(rs ...*memory.Record) *memory.Record {
	for _, r := range rs {
		h.arrived[r.ID] = Arrival{Space: h.space, Seq: int64(len(h.arrived))}
		h.ring.Add(r)
		h.all = append(h.all, r)
	}
	return rs[0]
}

// handover is two records: who inherits, and what of the owner holds, which is all that came.
func (h *handing) handover(by, to actor, minute int) []*memory.Record {
	n := h.write(by, at(minute), &memory.Key{Op: memory.OpIntroduce, Key: to.did, Name: HeirName(h.space)})
	var held []memory.ID
	for _, r := range h.all {
		if r.Header.Author == by.did {
			held = append(held, r.ID)
		}
	}
	of := n.Ref()
	return []*memory.Record{n, h.write(by, at(minute), &memory.Key{
		Op: memory.OpRevoke, Key: to.did, Of: &of, Reason: memory.Superseded, From: HeldLine(held),
	})}
}

func (h *handing) mark(by actor, minute int, verb string) *memory.Record {
	return h.write(by, at(minute), &memory.Mark{Of: ref(h.belief), Verb: verb})
}

// decides checks whether a rejection counts.
func (h *handing) decides(when string, r *memory.Record, want bool) {
	h.t.Helper()
	if got := h.fold(h.belief, r).Review == ReviewRejected; got != want {
		h.t.Errorf("%s: it decides %v, want %v", when, got, want)
	}
}

func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// Who owns a space decides there until they hand it over, and the next owner from then on, by when
// records came. Only the owner's word hands it over.
func TestASpaceIsHandedOver(t *testing.T) {
	owner, next, third, member, keeper := someone(1), someone(2), someone(3), someone(4), someone(5)
	s := newHanding(t, owner, member)
	owns := func(when string, want actor, handed bool) {
		t.Helper()
		if got, is := s.ring.Owner(s.space); got != want.did || is != handed {
			t.Errorf("%s: the owner is %s, handed over %v, want %s", when, got, is, want.did)
		}
	}
	appoint := func(by actor, minute int) *memory.Record {
		return s.came(s.write(by, at(minute), &memory.Key{
			Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space),
		}))
	}
	appointed := appoint(owner, 1)
	early, before := s.came(s.mark(next, 1, memory.Reject)), s.came(s.mark(owner, 1, memory.Reject))
	s.came(s.handover(member, member, 2)...)
	s.came(s.handover(keeper, keeper, 2)...)
	elsewhere := s.header(owner, at(2))
	elsewhere.Space = owner.did + "/other"
	s.came(s.make(elsewhere, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: HeirName(s.space)}))
	named := s.handover(owner, next, 2)[0]
	of := named.Ref()
	s.came(named, s.write(owner, at(2), &memory.Key{
		Op: memory.OpRevoke, Key: next.did, Of: &of, Reason: memory.Superseded,
	}))
	owns("handed over by a member, by a keeper, in another space, and named and taken back", owner, false)
	s.decides("the owner", before, true)
	s.decides("who will own it", early, false)
	unsent := s.mark(owner, 2, memory.Reject) // on another machine of the owner

	s.came(s.handover(owner, next, 3)...)
	first := s.all[len(s.all)-1]
	owns("handed over", next, true)
	if len(s.ring.Introductions()) != 1 { // the one that stands in another space
		t.Errorf("introductions %d, want a handover to be none", len(s.ring.Introductions()))
	}
	if touched := s.ring.Touched(first); !slices.Contains(touched, next.did) || !slices.Contains(touched, owner.did) ||
		!slices.Contains(touched, keeper.did) {
		t.Errorf("Touched = %v, want the keys of both owners and the keeper", touched)
	}
	s.decides("what the old owner decided before", before, true)
	s.decides("what the new owner said before", early, false)
	s.decides("what was not sent before", s.came(unsent), false)
	late := s.came(s.mark(owner, 4, memory.Reject))
	s.decides("the old owner", late, false)
	s.decides("the old owner, dated back", s.came(s.mark(owner, 2, memory.Reject)), false)
	mine := s.came(s.mark(next, 4, memory.Reject))
	s.decides("the new owner", mine, true)
	s.decides("the new owner, dated back", s.came(s.mark(next, 2, memory.Reject)), false)
	s.decides("a keeper whom the old owner appointed", s.came(s.mark(keeper, 4, memory.Reject)), true)
	if !s.fold(s.belief, s.came(s.mark(next, 4, memory.Purge))).Purged ||
		s.fold(s.belief, s.came(s.mark(owner, 4, memory.Purge))).Purged {
		t.Error("the new owner purges, the old one does not")
	}
	h := s.header(next, at(4))
	h.Space = next.did + "/main"
	s.decides("from a space of their own", s.came(s.make(h, &memory.Mark{Of: ref(s.belief), Verb: memory.Reject})), false)

	of = appointed.Ref()
	back := &memory.Key{Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded}
	s.came(s.write(owner, at(5), back))
	s.decides("dismissed by the old owner", s.came(s.mark(keeper, 6, memory.Reject)), true)
	s.came(s.write(next, at(7), back))
	s.decides("dismissed by the new owner", s.came(s.mark(keeper, 8, memory.Reject)), false)
	appoint(owner, 9)
	s.decides("appointed by the old owner", s.came(s.mark(keeper, 10, memory.Reject)), false)
	appoint(next, 11)
	s.decides("appointed by the new owner", s.came(s.mark(keeper, 12, memory.Reject)), true)

	s.came(s.handover(owner, third, 13)...)
	owns("handed over once more by the old owner", next, true)
	if len(s.ring.Disputed(s.space)) != 1 {
		t.Errorf("%d handovers do not count, want the second of the old owner", len(s.ring.Disputed(s.space)))
	}
	s.came(s.handover(next, third, 14)...)
	owns("handed over by the new owner", third, true)
	s.decides("the second owner before", mine, true)
	s.decides("the second owner after", s.came(s.mark(next, 15, memory.Reject)), false)
	s.came(s.handover(third, owner, 16)...)
	owns("handed back", owner, true)
	s.decides("what the first owner said in between", late, false)
	s.decides("the first owner again", s.came(s.mark(owner, 17, memory.Reject)), true)
	s.came(s.handover(owner, next, 18)...)
	owns("and again", next, true)
}

// Of two handovers by one owner the one with the earliest date counts, then the smaller ID, in
// whichever order they come; so does what follows from it.
func TestOfTwoHandoversTheOrderOfArrivalDecidesNothing(t *testing.T) {
	owner, one, other, member := someone(1), someone(2), someone(3), someone(4)
	for _, minute := range []int{3, 2} {
		var owners []string
		for _, turned := range []bool{false, true} {
			s := newHanding(t, owner, member)
			all := slices.Concat(s.handover(owner, one, 2), s.handover(owner, other, minute), s.handover(one, member, 5))
			two := []*memory.Record{all[1], all[3]}
			if turned {
				slices.Reverse(all)
			}
			s.came(all...)
			now, _ := s.ring.Owner(s.space)
			owners = append(owners, now)
			want := member.did
			if minute == 2 && two[0].ID.Compare(two[1].ID) > 0 == (two[0].Body.(*memory.Key).Key == one.did) {
				want = other.did
			}
			if now != want {
				t.Errorf("second after %d minutes, turned %v: the owner is %s, want %s", minute, turned, now, want)
			}
		}
		if owners[0] != owners[1] {
			t.Errorf("the owner is %v, by the order in which the handovers came", owners)
		}
	}
}

// A new owner may replace their key; a key that was replaced or taken back hands nothing over.
func TestAHandoverFollowsKeys(t *testing.T) {
	owner, next, later, other, member := someone(1), someone(2), someone(3), someone(4), someone(5)
	s := newHanding(t, owner, member)
	s.came(s.handover(owner, next, 1)...)
	rotation := s.write(next, at(2), rotates(next, later))
	rotation.Sigs = []memory.Signature{{Key: next.did}, {Key: later.did}}
	s.came(rotation)
	owns := func(when string, want actor) {
		t.Helper()
		if got, _ := s.ring.Owner(s.space); got != want.did {
			t.Errorf("%s: the owner is %s, want %s", when, got, want.did)
		}
	}
	s.decides("the new owner's later key", s.came(s.mark(later, 3, memory.Reject)), true)
	s.decides("the new owner's old key", s.came(s.mark(next, 4, memory.Reject)), false)
	s.came(s.handover(next, other, 5)...)
	owns("handed over with a key that was replaced", next)
	s.came(s.write(later, at(6), &memory.Key{Op: memory.OpRevoke, Key: later.did, Reason: memory.Compromised}))
	s.came(s.handover(later, other, 7)...)
	owns("handed over with a key that was taken back", next)
}

// A handover falls with the key that signed it: whoever calls that key stolen from before owns the
// space again, as somebody whose key was stolen must. Without a moment before the handover it stays.
func TestAHandoverFallsWithAKeyThatWasStolenBeforeIt(t *testing.T) {
	for _, tt := range []struct {
		name string
		from int64 // how much of the log came before the theft; below 0 is not said
		want int   // the owner is the first or the second
	}{{"from before", 1, 0}, {"from after", 3, 1}, {"from now on", -1, 1}} {
		owner, later, next, member := someone(1), someone(2), someone(3), someone(4)
		s := newHanding(t, owner, member)
		s.ring.Agrees = func(string, int64, string) bool { return true }
		s.came(s.handover(owner, next, 1)...)
		rotation := s.write(owner, at(2), rotates(owner, later))
		rotation.Sigs = []memory.Signature{{Key: owner.did}, {Key: later.did}}
		s.came(rotation)
		stolen := &memory.Key{Op: memory.OpRevoke, Key: owner.did, Reason: memory.Compromised}
		if tt.from >= 0 {
			stolen.From = FromLine(s.space, tt.from, "root")
		}
		s.came(s.write(later, at(3), stolen))
		if got, _ := s.ring.Owner(s.space); got != []string{owner.did, next.did}[tt.want] {
			t.Errorf("stolen %s: the owner is %s", tt.name, got)
		}
	}
}
