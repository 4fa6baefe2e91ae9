package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

func TestNamesThatAppointAreReserved(t *testing.T) {
	for name, want := range map[string]bool{
		AppointmentName("did:key:z/main"): true, HeirName("did:key:z/main"): true, accepts + "did:key:z/main": true,
		"Ann": false, "the keeper of x": false, "": false,
	} {
		if got := ReservedName(name); got != want {
			t.Errorf("%q is reserved: %v", name, got)
		}
	}
}

// A delegation is taken back by its owner's word about that one; another's word, and one about another, leave it.
func TestADelegationIsTakenBackByItsOwner(t *testing.T) {
	owner, other := someone(1), someone(2)
	for what, tt := range map[string]struct {
		by    actor
		about func(mine, second memory.ID) *memory.ID
		want  bool
	}{
		"nothing said":      {},
		"by its owner":      {owner, func(mine, _ memory.ID) *memory.ID { return &mine }, true},
		"by another":        {other, func(mine, _ memory.ID) *memory.ID { return &mine }, false},
		"about another one": {owner, func(_, second memory.ID) *memory.ID { return &second }, false},
		"about the key":     {owner, func(_, _ memory.ID) *memory.ID { return nil }, false},
	} {
		s := newScene(t, owner)
		agent := s.delegate(owner, 7, memory.Time{}, memory.OriginAgent)
		again := s.delegate(owner, 7, memory.Time{}, memory.OriginAgent)
		if tt.about != nil {
			b := &memory.Key{Op: memory.OpRevoke, Key: agent.did, Reason: memory.Superseded}
			if of := tt.about(agent.grant, again.grant); of != nil {
				b.Of = &memory.Ref{Kind: memory.KindKey, ID: *of}
			}
			s.ring.Add(s.write(tt.by, noon, b))
		}
		if got := s.ring.Taken(agent.grant); got != tt.want {
			t.Errorf("%s: taken back %v, want %v", what, got, tt.want)
		}
		if s.ring.Taken(memory.ID{9}) {
			t.Errorf("%s: one that is not held is taken back", what)
		}
		if d, held := s.ring.Delegated(agent.grant); !held || d.Body.Key != agent.did {
			t.Errorf("%s: the delegation is %v", what, held)
		}
	}
}

// What is added to a clone is not in the ring that it was made of, nor the other way round.
func TestACloneIsApart(t *testing.T) {
	owner, next, agent, third := someone(1), someone(2), someone(3), someone(4)
	d := newDiary(t, owner)
	said := []*memory.Record{
		d.key(owner, begins(owner, next)), d.key(owner, rotates(owner, next), next), d.key(owner, delegates(agent)),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: "Bob"}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: AppointmentName(d.space)}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: HeirName(d.space)}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: accepts + d.space}),
		d.key(owner, revokes(agent, memory.Superseded)),
		// each once more
		d.key(third, begins(third, next)), d.key(owner, rotates(owner, third), third), d.key(owner, delegates(third)),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: third.did, Name: "Ray"}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: third.did, Name: AppointmentName(d.space)}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: third.did, Name: HeirName(d.space)}),
		d.key(owner, &memory.Key{Op: memory.OpIntroduce, Key: third.did, Name: accepts + d.space}),
		d.key(owner, revokes(third, memory.Superseded)),
	}
	shows := func(k *Keyring) string {
		_, delegated := k.Delegated(said[2].ID)
		_, again := k.Delegated(said[10].ID)
		return fmt.Sprint(k.Knows(owner.did), k.Knows(next.did), k.Knows(third.did), k.Handed(owner.did),
			k.Committed(owner.did), k.Committed(third.did), delegated, again, len(k.revocations),
			len(k.Introductions()), len(k.Appointments(d.space)), len(k.heirNames[d.space]), len(k.accepts), k.Quiet())
	}
	none, all := shows(new(Keyring)), shows(NewKeyring(said...))
	if none == all {
		t.Fatalf("nothing that was said shows: %s", all)
	}
	for n := range len(said) + 1 {
		k := NewKeyring(said[:n]...)
		before := shows(k)
		c := k.Clone()
		for _, r := range said[n:] {
			c.Add(r)
		}
		if got := shows(k); got != before {
			t.Errorf("after %d the ring is %s, was %s", n, got, before)
		}
		if got := shows(c); got != all {
			t.Errorf("after %d the clone is %s, want %s", n, got, all)
		}
		for _, r := range said[n:] {
			k.Add(r)
		}
		if got := shows(k); got != all {
			t.Errorf("after %d and the rest the ring is %s, want %s", n, got, all)
		}
	}
}

func TestARingKnowsWhoBeganAndWhoFollows(t *testing.T) {
	owner, next, other := someone(1), someone(2), someone(3)
	d := newDiary(t, owner)
	k := NewKeyring(d.key(owner, begins(owner, next)), d.key(owner, rotates(owner, next), next))
	if !k.Knows(owner.did) || !k.Knows(next.did) || k.Knows(other.did) {
		t.Errorf("it knows %v, %v, %v", k.Knows(owner.did), k.Knows(next.did), k.Knows(other.did))
	}
	if !k.Recovers(owner.did, next.did) || k.Recovers(owner.did, owner.did) || k.Recovers(owner.did, other.did) {
		t.Error("another than the key that it committed to recovers")
	}
	if k.Quiet() || !new(Keyring).Quiet() || NewKeyring(d.key(owner, revokes(other, memory.Superseded))).Quiet() {
		t.Error("a ring with a rotation or a revocation is quiet")
	}
}

// A key hands over onward: each once, also in a ring.
func TestAKeyHandsOverOnward(t *testing.T) {
	a, b, c, x := someone(1), someone(2), someone(3), someone(4)
	d := newDiary(t, a)
	k := NewKeyring(
		d.key(a, rotates(a, b), b), d.key(b, rotates(b, c), c), d.key(a, rotates(a, c), c), d.key(c, rotates(c, a), a),
	)
	for did, want := range map[string][]string{a.did: {a.did, b.did, c.did}, c.did: {c.did, a.did, b.did},
		x.did: {x.did}} {
		if got := k.onward(did); !slices.Equal(got, want) {
			t.Errorf("onward from %s are %v, want %v", did, got, want)
		}
	}
}

// A history has at most 1,024 keys.
func TestAHistoryIsBounded(t *testing.T) {
	k, s := new(Keyring), newScene(t, someone(1))
	many := func(i int) actor {
		return actor{did: fmt.Sprintf("did:key:z6Mk%044s", strings.NewReplacer("0", "A").Replace(fmt.Sprint(i+1))),
			origin: memory.OriginOwner}
	}
	for i := range maxHistory + 10 {
		from, to := many(i), many(i+1)
		put(&k.rotations, from.did, []Of[*memory.Key]{{
			Record: s.write(someone(1), noon, begins(someone(1))), Body: rotates(from, to),
		}})
	}
	if got := len(k.onward(many(0).did)); got != 1024 {
		t.Errorf("onward are %d keys", got)
	}
}

// A space is handed over by a name for its heir, and by what takes such a name back.
func TestAnHeirIsNamedInTheSpace(t *testing.T) {
	owner, next := someone(1), someone(2)
	s := newScene(t, owner)
	named := s.write(owner, noon, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: HeirName(s.space)})
	s.ring.Add(named)
	of := named.Ref()
	other := memory.Ref{Kind: memory.KindKey, ID: memory.ID{9}}
	for what, tt := range map[string]struct {
		r    *memory.Record
		want string
	}{
		"a name": {named, s.space},
		"a name of another space": {s.write(owner, noon, &memory.Key{Op: memory.OpIntroduce, Key: next.did,
			Name: HeirName("x/y")}), ""},
		"another name": {s.write(owner, noon, &memory.Key{Op: memory.OpIntroduce, Key: next.did, Name: "Bob"}),
			""},
		"taking it back": {s.write(owner, noon, &memory.Key{
			Op: memory.OpRevoke, Key: next.did, Of: &of, Reason: memory.Superseded,
		}), s.space},
		"taking something else back": {s.write(owner, noon, &memory.Key{
			Op: memory.OpRevoke, Key: next.did, Of: &other, Reason: memory.Superseded,
		}), ""},
		"no key": {s.write(owner, noon, &memory.Belief{Statement: "x"}), ""},
	} {
		if got := s.ring.HandsOver(tt.r); got != tt.want {
			t.Errorf("%s hands over %q, want %q", what, got, tt.want)
		}
	}
	if NamesHeir(named) != s.space {
		t.Error("without a ring a name is none")
	}
}

// What is in the log comes in its order, and before all that is not; of these the smaller ID is first.
func TestMomentsAreInOrder(t *testing.T) {
	places := map[memory.ID]Arrival{{3}: {Space: "s", Seq: 1}, {2}: {Space: "s", Seq: 2}}
	k := &Keyring{Arrived: func(id memory.ID) (Arrival, bool) { a, ok := places[id]; return a, ok }}
	order := []memory.ID{{3}, {2}, {1}, {4}}
	record := func(id memory.ID) *memory.Record { return &memory.Record{ID: id} }
	for i, a := range order {
		for j, b := range order {
			if got := k.first(record(a), record(b)); got != (i < j) {
				t.Errorf("%v before %v: %v", a[0], b[0], got)
			}
			if got := k.surely(record(a), record(b)); got != (i < j && i < len(places)) {
				t.Errorf("%v surely before %v: %v", a[0], b[0], got)
			}
		}
	}
	without := new(Keyring)
	if !without.first(record(memory.ID{1}), record(memory.ID{2})) || without.surely(record(memory.ID{1}),
		record(memory.ID{2})) {
		t.Error("without a log the smaller ID is not first, or surely before another")
	}
}

func TestLinesOfARevocation(t *testing.T) {
	for text, want := range map[string][]fromLine{
		"":                            nil,
		"s 0 r":                       {{"s", 0, "r"}},
		"s 1 r\nt 22 q\n":             {{"s", 1, "r"}, {"t", 22, "q"}},
		"s -1 r\ns x r\ns 1\ns 1 r x": nil,
		"bad\ns 2 r":                  {{"s", 2, "r"}},
	} {
		if got := fromLines(text); !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", text, got, want)
		}
	}
	if got := len(fromLines(strings.Repeat("s 1 r\n", maxFrom+1))); got != maxFrom {
		t.Errorf("%d lines are read", got)
	}
}

// A purge ends what others put in the place of a record, once its time comes.
func TestAPurgeByOthersEndsASuccessor(t *testing.T) {
	owner, other := someone(1), someone(2)
	s := newScene(t, owner)
	agent := s.delegate(owner, 7, memory.Time{}, memory.OriginAgent)
	old := s.write(owner, noon, &memory.Belief{Statement: "the sky is blue"})
	late := func(d time.Duration) time.Time { return noon.Add(time.Hour + d) }
	mark := func(by actor, verb string, at time.Time) *memory.Record {
		return s.write(by, at, &memory.Mark{Of: ref(old), Verb: verb})
	}
	by := s.write(owner, noon, &memory.Belief{Statement: "the sky is grey"})
	q := succession{who: s.ring, now: late(0)}
	for what, tt := range map[string]struct {
		about []*memory.Record
		want  bool
	}{
		"nothing":                  {nil, false},
		"by another":               {[]*memory.Record{mark(other, memory.Purge, noon)}, true},
		"forgotten by another":     {[]*memory.Record{mark(other, memory.Forget, noon)}, false},
		"by an agent":              {[]*memory.Record{mark(agent, memory.Purge, noon)}, false},
		"dated ahead":              {[]*memory.Record{mark(other, memory.Purge, late(aheadBy+time.Second))}, false},
		"dated a little ahead":     {[]*memory.Record{mark(other, memory.Purge, late(aheadBy))}, true},
		"by the same person later": {[]*memory.Record{mark(owner, memory.Purge, late(0))}, false},
		"by both": {[]*memory.Record{mark(other, memory.Purge, noon), mark(owner, memory.Purge,
			late(0))}, false},
		"by the same person before": {[]*memory.Record{mark(owner, memory.Purge, noon.Add(-time.Hour))}, true},
	} {
		if got := q.purged(tt.about, by); got != tt.want {
			t.Errorf("%s: %v, want %v", what, got, tt.want)
		}
	}
}

// Who is accepted as keeper of a space: by whom, until they take it back.
func TestAcceptancesOfAPerson(t *testing.T) {
	owner, keeper, other := someone(1), someone(2), someone(3)
	s := newScene(t, owner)
	accept := func(by, whom actor, space string) *memory.Record {
		r := s.write(by, noon, &memory.Key{Op: memory.OpIntroduce, Key: whom.did, Name: AcceptanceName(space)})
		s.ring.Add(r)
		return r
	}
	told := func(by actor) string {
		var all []string
		for _, a := range s.ring.Acceptances(by.did) {
			if a.By != by.did || a.Whom != a.Key || a.Name != "" || a.Record == nil {
				t.Errorf("an acceptance is %+v", a)
			}
			all = append(all, a.Whom[len(a.Whom)-4:]+" of "+a.Space)
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
	end := keeper.did[len(keeper.did)-4:]
	if got := told(owner); got != "" {
		t.Errorf("at first %q", got)
	}
	first := accept(owner, keeper, "x/team")
	accept(owner, keeper, "x/plans")
	accept(other, keeper, "x/team")
	s.ring.Add(s.write(owner, noon, &memory.Key{Op: memory.OpIntroduce, Key: other.did, Name: "Bob"}))
	if got, want := told(owner), end+" of x/plans, "+end+" of x/team"; got != want {
		t.Errorf("accepted are %q, want %q", got, want)
	}
	of := first.Ref()
	s.ring.Add(s.write(other, noon, &memory.Key{Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded}))
	if got, want := told(owner), end+" of x/plans, "+end+" of x/team"; got != want {
		t.Errorf("after another took one back: %q, want %q", got, want)
	}
	s.ring.Add(s.write(owner, noon, &memory.Key{Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded}))
	if got, want := told(owner), end+" of x/plans"; got != want {
		t.Errorf("after they took one back: %q, want %q", got, want)
	}
	if len(s.ring.Acceptances("")) != 0 {
		t.Error("nobody accepts somebody")
	}
}

// Whose word is that of the owner of a space: of one that was handed over, what is in it and of their time.
func TestWhoseWordIsTheOwners(t *testing.T) {
	owner, next, member := someone(1), someone(2), someone(3)
	s := newHanding(t, owner, member)
	word := func(by actor, minute int, space string) *memory.Record {
		h := s.header(by, at(minute))
		h.Space = space
		return s.make(h, &memory.Belief{Statement: "it is so"})
	}
	elsewhere := owner.did + "/plans"
	owns := func(when string, by actor, r *memory.Record, want bool) {
		t.Helper()
		if got := s.ring.owns(by.did, s.space, r); got != want {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	early := s.came(word(owner, 0, s.space))
	owns("before it was handed over", owner, early, true)
	owns("before that, in another space", owner, word(owner, 0, elsewhere), true)
	owns("before that, another's", next, word(next, 0, s.space), false)
	owns("nobody's", actor{}, early, false)
	s.came(s.handover(owner, next, 5)...)
	owns("of the first one's time, and held", owner, early, true)
	owns("of the first one's time, and not held", owner, word(owner, 1, s.space), false)
	owns("of the first one's time, in another space", owner, word(owner, 1, elsewhere), false)
	owns("of the next one's time", next, word(next, 6, s.space), true)
	owns("of the next one's time, in another space", next, word(next, 6, elsewhere), false)
	owns("the next one's, dated before it", next, word(next, 4, s.space), false)
	owns("a member's", member, word(member, 6, s.space), false)
}

// Which spaces a person kept or owned, and no longer does, and since when they did.
func TestWhoKeptOrOwnedASpace(t *testing.T) {
	owner, next, keeper, member := someone(1), someone(2), someone(3), someone(4)
	s := newHanding(t, owner, member)
	told := func(of actor) string {
		since, was := s.ring.Former(of.did)[s.space]
		if !was {
			return "never"
		}
		return "since " + since.String()
	}
	first := s.came(s.write(owner, at(1), &memory.Key{
		Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space),
	}))
	s.came(s.write(owner, at(2), &memory.Key{Op: memory.OpIntroduce, Key: keeper.did, Name: AppointmentName(s.space)}))
	for _, one := range []actor{owner, keeper, next, member} {
		if got := told(one); got != "never" {
			t.Errorf("while it lasts: %q", got)
		}
	}
	for _, one := range s.ring.Appointments(s.space) {
		of := one.Record.Ref()
		s.came(s.write(owner, at(3), &memory.Key{Op: memory.OpRevoke, Key: keeper.did, Of: &of, Reason: memory.Superseded}))
	}
	s.came(s.handover(owner, next, 4)...)
	for i, one := range []struct {
		of   actor
		want string
	}{{owner, "since "}, {keeper, "since " + first.Header.At.String()}, {next, "never"}, {member, "never"}} {
		if got := told(one.of); got != one.want {
			t.Errorf("%d: %q, want %q", i, got, one.want)
		}
	}
	s.came(s.handover(next, member, 5)...)
	if got := told(next); !strings.HasPrefix(got, "since 2026-03-01T12:04") {
		t.Errorf("the second owner: %q", got)
	}
}
