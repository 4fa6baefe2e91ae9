package state

import (
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Who decides in a space: its owner, and a keeper from the owner's appointment until it is taken
// back, by when records came. Nobody else's word appoints, and no agent's.
func TestAKeeperDecidesInOneSpaceUntilDismissed(t *testing.T) {
	owner, keeper, member, other := someone(1), someone(2), someone(3), someone(4)
	s := newScene(t, owner)
	arrived, order := make(map[memory.ID]Arrival), int64(0)
	s.ring.Arrived = func(id memory.ID) (Arrival, bool) { a, ok := arrived[id]; return a, ok }
	came := func(r *memory.Record) *memory.Record {
		order++
		arrived[r.ID] = Arrival{Space: s.space, Seq: order}
		s.ring.Add(r)
		return r
	}
	appoint := func(by actor, at time.Time, space string) *memory.Record {
		return came(s.write(by, at, &memory.Key{Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(space)}))
	}
	belief := came(s.write(member, at(0), &memory.Belief{Statement: "the sky is blue"}))
	decides := func(when string, r *memory.Record, want bool) {
		t.Helper()
		if got := s.fold(belief, r).Review == ReviewRejected; got != want {
			t.Errorf("%s: it decides %v, want %v", when, got, want)
		}
	}
	reject := func(by actor, minute int) *memory.Record {
		return came(s.write(by, at(minute), &memory.Mark{Of: ref(belief), Verb: memory.Reject}))
	}

	appoint(member, at(1), s.space)
	appoint(owner, at(1), owner.did+"/plans") // it stands in main, and names another space
	early := reject(keeper, 2)
	decides("appointed by a member, and for another space", early, false)

	by := appoint(owner, at(3), s.space)
	if !s.ring.Keeps(keeper.did, s.space) || s.ring.Keeps(other.did, s.space) || len(s.ring.Introductions()) != 1 {
		t.Errorf("appointed %v, introductions %d, want the keeper alone, and the one that names another space",
			s.ring.Appointments(s.space), len(s.ring.Introductions()))
	}
	decides("before the appointment", early, false)
	mid := reject(keeper, 4)
	decides("appointed", mid, true)
	decides("another member", reject(other, 4), false)
	revision := came(s.revise(keeper, at(4), "the sky is grey", belief))
	if got := s.fold(belief, revision).SupersededBy; got != revision.ID {
		t.Errorf("a keeper's revision: %v, want it to count", got)
	}
	purge := came(s.write(keeper, at(4), &memory.Mark{Of: ref(belief), Verb: memory.Purge}))
	if s.fold(belief, purge).Purged {
		t.Error("a keeper purged what another wrote")
	}
	h := s.header(keeper, at(4))
	h.Space = keeper.did + "/main"
	decides("from a space of their own", came(s.make(h, &memory.Mark{Of: ref(belief), Verb: memory.Reject})), false)

	of := by.Ref()
	back := &memory.Key{Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded}
	came(s.write(member, at(5), back))
	decides("taken back by a member", reject(keeper, 6), true)
	r := came(s.write(owner, at(7), back))
	if touched := s.ring.Touched(r); len(touched) != 1 || touched[0] != keeper.did {
		t.Errorf("Touched(%s) = %v, want the keeper's key", r.Body.(*memory.Key).Op, touched)
	}
	decides("what was decided before", mid, true)
	decides("dismissed, and dated back", reject(keeper, 4), false)
	if s.ring.Keeps(keeper.did, s.space) {
		t.Error("dismissed, and still a keeper")
	}
}

// A keeper's decision is dated after the appointment, whenever it came. Where a dismissal names no
// decisions, one that came after it, or is dated after it, does not count.
func TestADateLendsADismissedKeeperNothing(t *testing.T) {
	owner, keeper, member := someone(1), someone(2), someone(3)
	for what, tt := range map[string]struct {
		dated, came time.Duration // of the decision
		want        bool
	}{
		"before the appointment":                      {-time.Minute, -time.Minute, false},
		"before it, dated after it":                   {time.Minute, -time.Minute, true},
		"after it, dated before it":                   {-time.Minute, time.Minute, false},
		"after it":                                    {time.Minute, time.Minute, true},
		"by a clock that is ahead":                    {20 * time.Minute, time.Minute, true},
		"dated ahead, for after the dismissal":        {2 * time.Hour, time.Minute, false},
		"after the dismissal, dated before it":        {time.Minute, 90 * time.Minute, false},
		"dated after a dismissal that came later":     {time.Hour + time.Minute, 59 * time.Minute, false},
		"long after it was written, but in its time":  {time.Minute, 30 * time.Minute, true},
		"long after it was written, and dismissed by": {time.Minute, 2 * time.Hour, false},
	} {
		s := newScene(t, owner)
		arrived, order := make(map[memory.ID]Arrival), int64(0)
		s.ring.Arrived = func(id memory.ID) (Arrival, bool) { a, ok := arrived[id]; return a, ok }
		came := func(r *memory.Record, after time.Duration) *memory.Record {
			order++
			arrived[r.ID] = Arrival{Space: s.space, Seq: order, At: noon.Add(after)}
			s.ring.Add(r)
			return r
		}
		belief := came(s.write(member, noon.Add(-time.Hour), &memory.Belief{Statement: "the sky is blue"}), -time.Hour)
		by := s.write(owner, noon, &memory.Key{Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space)})
		of := by.Ref()
		back := s.write(owner, noon.Add(time.Hour), &memory.Key{
			Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded,
		})
		decision := s.write(keeper, noon.Add(tt.dated), &memory.Mark{Of: ref(belief), Verb: memory.Reject})
		came(by, 0)
		came(decision, tt.came)
		came(back, time.Hour)
		now := noon.Add(24 * time.Hour)
		if got := Fold(belief, []*memory.Record{decision}, now, s.ring).Review == ReviewRejected; got != tt.want {
			t.Errorf("%s: it decides %v, want %v", what, got, tt.want)
		}
	}
}

// Where a dismissal names the decisions that hold, those count and no others, in whichever order
// all of it came.
func TestADismissalNamesTheDecisionsThatHold(t *testing.T) {
	owner, keeper, member := someone(1), someone(2), someone(3)
	s := newScene(t, owner)
	belief := s.write(member, at(0), &memory.Belief{Statement: "the sky is blue"})
	by := s.write(owner, at(1), &memory.Key{Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space)})
	of := by.Ref()
	reject := func(minute int) *memory.Record {
		return s.write(keeper, at(minute), &memory.Mark{Of: ref(belief), Verb: memory.Reject})
	}
	known, unknown, ahead := reject(2), reject(3), reject(30)
	var first *memory.Record
	for i, held := range [][]memory.ID{{known.ID, ahead.ID}, {unknown.ID}} { // the second dismissal says nothing new
		back := s.write(owner, at(10+i), &memory.Key{
			Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded, From: HeldLine(held),
		})
		if i == 0 {
			first = back
		}
		for _, turned := range []bool{false, true} {
			all := []*memory.Record{by, known, unknown, ahead, first, back}
			if turned {
				slices.Reverse(all)
			}
			ring, arrived := new(Keyring), make(map[memory.ID]Arrival)
			ring.Arrived = func(id memory.ID) (Arrival, bool) { a, ok := arrived[id]; return a, ok }
			for n, r := range all {
				arrived[r.ID] = Arrival{Space: s.space, Seq: int64(n)}
				ring.Add(r)
			}
			for r, want := range map[*memory.Record]bool{known: true, unknown: false, ahead: true} {
				if got := Fold(belief, []*memory.Record{r}, at(60), ring).Review == ReviewRejected; got != want {
					t.Errorf("dismissals %d, turned %v, dated %s: it decides %v, want %v", i+1, turned, r.Header.At, got, want)
				}
			}
		}
	}
	if HeldLine(make([]memory.ID, MostHeld+1)) != heldLine+heldByLog || len(HeldLine(make([]memory.ID, MostHeld))) >
		memory.MaxText {
		t.Error("a line of many decisions does not fit")
	}
	for _, bad := range []string{"held", "held x", "held AAAA", "held ****************", "1 2 3"} {
		if h := heldIn(bad); h != nil {
			t.Errorf("%q is read as %v", bad, h)
		}
	}
}
