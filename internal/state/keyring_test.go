package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A diary is a reader's log in which keys are spoken of.
type diary struct {
	*scene
	log    []*memory.Record
	places map[memory.ID]Arrival
	ticks  int
	asked  int // how often the ring asked for a place
	keeper string
}

func newDiary(t testing.TB, owner actor) *diary {
	return &diary{scene: newScene(t, owner), places: make(map[memory.ID]Arrival)}
}

// came puts records at the end of the log, a second after one another.
func (d *diary) came(rs ...*memory.Record) {
	for _, r := range rs {
		seq := int64(1)
		for _, a := range d.places {
			if a.Space == r.Header.Space {
				seq++
			}
		}
		d.ticks++
		d.places[r.ID] = Arrival{r.Header.Space, seq, noon.Add(time.Duration(d.ticks) * time.Second)}
		d.log = append(d.log, r)
	}
}

// said is key and came: a key record that has come.
func (d *diary) said(by actor, b *memory.Key, also ...actor) *memory.Record {
	d.Helper()
	r := d.key(by, b, also...)
	d.came(r)
	return r
}

// key makes a key record, signed by its author and by others.
func (d *diary) key(by actor, b *memory.Key, also ...actor) *memory.Record {
	d.Helper()
	r := d.write(by, noon, b)
	for _, a := range append([]actor{by}, also...) {
		r.Sigs = append(r.Sigs, memory.Signature{Key: a.did})
	}
	return r
}

func begins(a actor, next ...actor) *memory.Key {
	b := &memory.Key{Op: memory.OpInception, Key: a.did}
	for _, n := range next {
		b.Next = Commitment(n.did)
	}
	return b
}

func delegates(a actor) *memory.Key {
	return &memory.Key{Op: memory.OpDelegate, Key: a.did, Origins: []memory.Origin{memory.OriginAgent}}
}

func rotates(old, to actor) *memory.Key {
	return &memory.Key{Op: memory.OpRotate, Key: to.did, Previous: old.did}
}

func revokes(a actor, reason string, from ...string) *memory.Key {
	return &memory.Key{Op: memory.OpRevoke, Key: a.did, Reason: reason, From: strings.Join(from, "\n")}
}

// rootOf is what stands for the root of a log in tests.
func rootOf(space string, size int64) string { return fmt.Sprintf("root%d", size+int64(len(space))) }

// from names a place in the log of the diary's space.
func (d *diary) from(size int64) string { return FromLine(d.space, size, rootOf(d.space, size)) }

// ringOf makes the ring of all that was said, in an order.
func (d *diary) ringOf(order []*memory.Record) *Keyring {
	k := NewKeyring(order...)
	k.KeptBy = d.keeper
	k.Arrived = func(id memory.ID) (Arrival, bool) {
		d.asked++
		a, held := d.places[id]
		return a, held
	}
	k.Agrees = func(space string, size int64, root string) bool {
		held := int64(0)
		for _, a := range d.places {
			if a.Space == space {
				held++
			}
		}
		return size <= held && root == rootOf(space, size)
	}
	return k
}

// speaks asks for the voice and the fault of a record.
func (d *diary) speaks(what string, r *memory.Record, principal actor, want Fault) {
	d.Helper()
	v, got := d.ringOf(d.log).Judge(r)
	if v.Principal != principal.did || got != want {
		d.Errorf("%s speaks for %s with fault %q, want %s with %q", what, v.Principal, got, principal.did, want)
	}
}

// wrote is an ordinary record that has come.
func (d *diary) wrote(by actor) *memory.Record {
	d.Helper()
	r := d.write(by, noon, &memory.Belief{Statement: "x"})
	d.came(r)
	return r
}

func TestRotation(t *testing.T) {
	k1, k2, agent := someone(1), someone(2), someone(3)
	d := newDiary(t, k1)
	d.said(k1, begins(k1))
	agent.grant, agent.origin = d.said(k1, delegates(agent)).ID, memory.OriginAgent
	early := d.wrote(k1)
	d.said(k1, rotates(k1, k2), k2)
	late, next, under := d.wrote(k1), d.wrote(k2), d.wrote(agent)
	d.speaks("the old key before", early, k1, Sound)
	d.speaks("the old key after", late, k1, KeyRevoked)
	d.speaks("the new key", next, k1, Sound)
	d.speaks("an agent of before", under, k1, Sound)
	agent.grant = d.said(k1, delegates(agent)).ID
	d.speaks("an agent to whom a replaced key delegated", d.wrote(agent), k1, KeyRevoked)
	agent.grant = d.said(k2, delegates(agent)).ID
	d.speaks("an agent of the new key", d.wrote(agent), k1, Sound)
	k := d.ringOf(d.log)
	if v := k.Voice(next); !v.Owner {
		t.Error("the new key does not speak as the owner")
	}
	if got := k.Current(k1.did); got != k2.did {
		t.Errorf("Current = %s, want %s", got, k2.did)
	}
	if got := k.History(k1.did); !slices.Equal(got, []string{k1.did, k2.did}) {
		t.Errorf("History = %s, want both keys", got)
	}
}

// TestNoRotation goes through what replaces nothing.
func TestNoRotation(t *testing.T) {
	k1, k2, thief, agent := someone(1), someone(2), someone(3), someone(4)
	for name, do := range map[string]func(d *diary){
		"without the new key":            func(d *diary) { d.said(k1, rotates(k1, k2)) },
		"by somebody else":               func(d *diary) { d.said(thief, rotates(k1, k2), k2) },
		"by the new key alone":           func(d *diary) { d.said(k2, rotates(k1, k2)) },
		"by a recovery key nobody named": func(d *diary) { d.said(thief, rotates(k1, k2), k2, thief) },
		"to itself":                      func(d *diary) { d.said(k1, rotates(k1, k1)) },
		"after the key was taken back": func(d *diary) {
			d.said(k1, revokes(k1, memory.Lost))
			d.said(k1, rotates(k1, k2),
				k2)
		},
		"after recovery took it back": func(d *diary) {
			d.said(k1, begins(k1, thief))
			d.said(thief, revokes(k1, memory.Lost))
			d.said(k1, rotates(k1, k2), k2)
		},
		"by an agent, in the owner's name": func(d *diary) {
			agent := agent
			agent.grant, agent.origin = d.said(k1, delegates(agent)).ID, memory.OriginAgent
			h := d.header(agent, noon)
			h.Origin = memory.OriginAgent
			if r, err := memory.New(h, rotates(agent, k2)); err == nil { // key records of agents are none at all
				d.came(r)
			}
		},
	} {
		d := newDiary(t, k1)
		before := d.wrote(k1)
		do(d)
		d.speaks(name+": the first key", before, k1, Sound)
		d.speaks(name+": the second key", d.wrote(k2), k2, Sound)
	}
}

// TestRivals: of two that follow one key, the one that the recovery key signed, or
// else the first to come.
func TestRivals(t *testing.T) {
	k1, owner, thief, saver := someone(1), someone(2), someone(3), someone(4)
	for _, tt := range []struct {
		name string
		do   func(d *diary)
		want actor // who follows
	}{
		{"the first", func(d *diary) { d.said(k1, rotates(k1, owner), owner); d.said(k1, rotates(k1, thief), thief) }, owner},
		{
			"recovery first",
			func(d *diary) { d.said(saver, rotates(k1, owner), owner); d.said(k1, rotates(k1, thief), thief) },
			owner,
		},
		{
			"recovery last",
			func(d *diary) { d.said(k1, rotates(k1, thief), thief); d.said(saver, rotates(k1, owner), owner) },
			owner,
		},
		{
			"two by recovery",
			func(d *diary) { d.said(saver, rotates(k1, owner), owner); d.said(saver, rotates(k1, thief), thief) },
			owner,
		},
		{"recovery of what was taken back", func(d *diary) {
			d.said(k1, revokes(k1, memory.Compromised))
			d.said(saver, rotates(k1, owner), owner)
		}, owner},
	} {
		d := newDiary(t, k1)
		d.said(k1, begins(k1, saver))
		tt.do(d)
		for _, who := range []actor{owner, thief} {
			want := who
			if who == tt.want {
				want = k1
			}
			d.speaks(tt.name, d.wrote(who), want, Sound)
		}
	}
}

// TestCommitment: only what a key said first of its recovery key, and before it
// ended.
func TestCommitment(t *testing.T) {
	k1, k2, thief, saver := someone(1), someone(2), someone(3), someone(4)
	steal := func(d *diary) { // the thief has k1, names a recovery key of his own, and uses it
		d.said(k1, &memory.Key{Op: memory.OpRecovery, Key: k1.did, Next: Commitment(thief.did)})
		d.said(thief, rotates(k1, thief))
	}
	for _, tt := range []struct {
		name string
		do   func(d *diary)
		want Fault // of the owner's new key
	}{
		{"a second commitment", func(d *diary) {
			d.said(k1, begins(k1, saver))
			d.said(saver, rotates(k1, k2), k2)
			steal(d)
		}, Sound},
		{"a second, before the owner moves", func(d *diary) {
			d.said(k1, begins(k1, saver))
			steal(d)
			d.said(saver, rotates(k1, k2), k2)
		}, Sound},
		{"the first, after the key was replaced", func(d *diary) {
			d.said(k1, begins(k1))
			d.said(k1, rotates(k1, k2), k2)
			steal(d)
		}, Sound},
	} {
		d := newDiary(t, k1)
		tt.do(d)
		d.speaks(tt.name+": the owner", d.wrote(k2), k1, tt.want)
		d.speaks(tt.name+": the thief", d.wrote(thief), thief, Sound)
	}
	d := newDiary(t, k1)
	d.said(k1, revokes(k1, memory.Compromised))
	steal(d)
	d.speaks("named after the key was taken back", d.wrote(thief), thief, Sound)
	d = newDiary(t, k1)
	d.keeper = k2.did
	d.said(k2, revokes(k1, memory.Compromised))
	steal(d)
	d.speaks("named after the keeper took it back", d.wrote(thief), k1, KeyCompromised)
}

// TestHeirsOfBarred: in his own store the keeper's word on a stranger's key holds
// for the keys to which a thief then hands over.
func TestHeirsOfBarred(t *testing.T) {
	keeper, k1, k2, k3 := someone(1), someone(2), someone(3), someone(4)
	for reason, want := range map[string]Fault{memory.Compromised: KeyCompromised, memory.Lost: KeyRevoked} {
		for _, kept := range []bool{true, false} {
			d := newDiary(t, k1)
			if kept {
				d.keeper = keeper.did
			} else {
				want = Sound
			}
			d.said(keeper, revokes(k1, reason))
			d.said(k1, rotates(k1, k2), k2)
			d.said(k2, rotates(k2, k3), k3)
			d.speaks("an heir of what the keeper took back", d.wrote(k3), k1, want)
		}
	}
	d := newDiary(t, k1) // what the owner handed over before is not the thief's
	d.keeper = keeper.did
	d.said(k1, rotates(k1, k2), k2)
	d.said(keeper, revokes(k1, memory.Compromised))
	d.speaks("an heir of before", d.wrote(k2), k1, Sound)
	saver := someone(5)
	d = newDiary(t, k1) // neither is what the recovery key says that was named before
	d.keeper = keeper.did
	d.said(k1, begins(k1, saver))
	d.said(keeper, revokes(k1, memory.Compromised))
	d.said(saver, rotates(k1, k2), k2)
	d.speaks("an heir by the recovery key", d.wrote(k2), k1, Sound)
}

func TestChain(t *testing.T) {
	const keys = 50
	d := newDiary(t, someone(0))
	for i := range byte(keys - 1) {
		d.said(someone(i), rotates(someone(i), someone(i+1)), someone(i+1))
	}
	last := d.wrote(someone(keys - 1))
	d.speaks("the last of a chain", last, someone(0), Sound)
	d.speaks("one in the middle", d.wrote(someone(keys/2)), someone(0), KeyRevoked)
	if got := d.ringOf(d.log).Current(someone(3).did); got != someone(keys-1).did {
		t.Errorf("Current in a chain = %s, want the last", got)
	}
	rnd := rand.New(rand.NewPCG(1, 1)) // links that come in any order, or never came
	for _, held := range []bool{true, false} {
		e := newDiary(t, someone(0))
		for _, i := range rnd.Perm(keys - 1) {
			if r := d.log[i]; held {
				e.came(r)
			} else {
				e.log = append(e.log, r)
			}
		}
		if got := e.ringOf(e.log).Principal(someone(keys - 1).did); got != someone(0).did {
			t.Errorf("the principal of a chain out of order, held %v, is %s, want its first key", held, got)
		}
	}
}

// TestRing: keys that follow one another in a ring have one principal, the one that
// was there first.
func TestRing(t *testing.T) {
	for n := byte(2); n < 6; n++ {
		for first := range n { // which of the rotations came first
			d := newDiary(t, someone(0))
			for i := range n {
				from, to := someone((first+i)%n), someone((first+i+1)%n)
				d.said(from, rotates(from, to), to)
			}
			k := d.ringOf(d.log)
			for i := range n {
				if got := k.Principal(someone(i).did); got != someone(first).did {
					t.Errorf("ring of %d, begun by %d: the principal of %d is %s", n, first, i, got)
				}
				if got := k.Current(someone(i).did); got != someone((first+n-1)%n).did {
					t.Errorf("ring of %d, begun by %d: what follows %d is %s", n, first, i, got)
				}
			}
		}
	}
}

// TestTwoIntoOne: a key that follows two belongs to the first.
func TestTwoIntoOne(t *testing.T) {
	a, b, c := someone(1), someone(2), someone(3)
	d := newDiary(t, a)
	d.said(a, rotates(a, c), c)
	d.said(b, rotates(b, c), c)
	r := d.wrote(c)
	for range 2 {
		slices.Reverse(d.log)
		d.speaks("a key that follows two", r, a, Sound)
	}
}

// TestStrangerSaysNothing: whatever a stranger says of keys, no one else's records
// speak otherwise.
func TestStrangerSaysNothing(t *testing.T) {
	k1, k2, agent, saver, eve := someone(1), someone(2), someone(3), someone(4), someone(5)
	d := newDiary(t, k1)
	d.said(k1, begins(k1, saver))
	agent.grant, agent.origin = d.said(k1, delegates(agent)).ID, memory.OriginAgent
	d.said(k1, rotates(k1, k2), k2)
	grant := d.log[1].Ref()
	for _, about := range []actor{k1, k2, agent, saver} {
		for _, b := range []*memory.Key{
			begins(about, eve), delegates(about), rotates(about, eve), rotates(eve, about), revokes(
				about, memory.Compromised, d.from(0),
			),
			{Op: memory.OpRecovery, Key: about.did, Next: Commitment(eve.did)}, {Op: memory.OpIntroduce, Key: about.did},
			{Op: memory.OpRevoke, Key: about.did, Reason: memory.Lost, Of: &grant},
		} {
			r := d.said(eve, b, eve)
			if got := d.ringOf(append(d.log[:3:3], r)).Touched(r); len(got) > 0 && b.Op != memory.OpDelegate {
				t.Errorf("%s of another's key by a stranger touches %s", b.Op, got)
			}
		}
	}
	// she has delegated to the agent too, and what she said of it holds for herself
	for what, r := range map[string]*memory.Record{"the owner": d.wrote(k2), "an agent": d.wrote(agent)} {
		d.speaks(what, r, k1, Sound)
	}
	for _, r := range d.log {
		if b, ok := r.Body.(*memory.Key); ok && b.Op == memory.OpDelegate && r.Header.Author == eve.did &&
			b.Key == agent.did {
			agent.grant = r.ID
		}
	}
	d.speaks("the agent as the stranger's", d.wrote(agent), eve, KeyCompromised)
}

// TestRevokers goes through who may take a key back.
func TestRevokers(t *testing.T) {
	k1, k2, agent, saver, keeper, eve := someone(1), someone(2), someone(3), someone(4), someone(5), someone(6)
	who := map[string]actor{
		"itself": agent, "its owner": k2, "its owner's first key": k1, "its recovery key": saver,
		"the keeper": keeper, "a stranger": eve,
	}
	for name, by := range who {
		for _, kept := range []bool{true, false} {
			d := newDiary(t, k1)
			if kept {
				d.keeper = keeper.did
			}
			d.said(agent, begins(agent, saver))
			d.said(k1, rotates(k1, k2), k2)
			agent := agent
			agent.grant, agent.origin = d.said(k2, delegates(agent)).ID, memory.OriginAgent
			before := d.wrote(agent)
			by.grant = memory.ID{}
			v := d.said(by, revokes(agent, memory.Compromised))
			want := KeyCompromised
			if name == "a stranger" || name == "its owner's first key" || name == "the keeper" && !kept {
				want = Sound
			}
			d.speaks("before it was taken back by "+name, before, k1, Sound)
			d.speaks("taken back by "+name, d.wrote(agent), k1, want)
			if got := len(d.ringOf(d.log).Touched(v)) > 0; got != (want != Sound) && name != "its owner's first key" {
				t.Errorf("taken back by %s, kept %v: touched %v", name, kept, got)
			}
		}
	}
}

// TestRevokedTwice: one by the key itself, which a thief can sign too, gives way to
// one by its owner; of equals the first counts.
func TestRevokedTwice(t *testing.T) {
	k1, k2, agent, saver := someone(1), someone(2), someone(3), someone(4)
	for _, tt := range []struct {
		name string
		do   func(d *diary, agent actor)
		want Fault
	}{
		{"the first of two by the owner", func(d *diary, a actor) {
			d.said(k1, revokes(a, memory.Lost))
			d.said(k1, revokes(a, memory.Compromised))
		}, KeyRevoked},
		{"by itself, which cannot hide that it was stolen", func(d *diary, a actor) {
			d.said(a, revokes(a, memory.Superseded))
			d.said(k1, revokes(a, memory.Compromised))
		}, KeyCompromised},
		{"by itself, afterwards", func(d *diary, a actor) {
			d.said(k1, revokes(a, memory.Lost))
			d.said(a, revokes(a, memory.Compromised))
		}, KeyRevoked},
	} {
		d := newDiary(t, k1)
		agent := agent
		agent.grant, agent.origin = d.said(k1, delegates(agent)).ID, memory.OriginAgent
		self := agent
		self.grant, self.origin = memory.ID{}, memory.OriginOwner
		tt.do(d, self)
		d.speaks(tt.name, d.wrote(agent), k1, tt.want)
	}

	d := newDiary(t, k1) // a thief of the old key says that it was stolen from the start
	old := d.wrote(k1)
	d.said(k1, rotates(k1, k2), k2)
	d.said(k1, revokes(k1, memory.Compromised, d.from(0)))
	d.speaks("a replaced key's word on itself", old, k1, Sound)
	d.said(k2, revokes(k1, memory.Compromised, d.from(0)))
	d.speaks("its successor's", old, k1, KeyCompromised)

	d = newDiary(t, k1) // two that take each other back
	d.said(k1, begins(k1, saver))
	d.said(k1, revokes(k2, memory.Lost))
	d.said(saver, rotates(k1, k2), k2)
	d.said(k2, revokes(k1, memory.Compromised))
	d.speaks("who took back second", d.wrote(k2), k1, KeyRevoked)
	if v := d.ringOf(d.log).Revoked(k1.did, k1.did); v != nil {
		t.Errorf("one taken back itself takes back %s", v.Headline())
	}
}

func TestReasons(t *testing.T) {
	for reason, want := range map[string]Fault{memory.Superseded: KeyRevoked, memory.Lost: KeyRevoked,
		memory.Compromised: KeyCompromised} {
		k := someone(1)
		d := newDiary(t, k)
		before := d.wrote(k)
		v := d.said(k, revokes(k, reason))
		d.speaks(reason+" before", before, k, Sound)
		d.speaks(reason+" itself", v, k, Sound)
		d.speaks(reason+" after", d.wrote(k), k, want)
		d.speaks(reason+" not held yet", d.write(k, noon, &memory.Belief{Statement: "x"}), k, want)
	}
}

// TestFrom: a revocation counts from the place that it names, if the log was so.
func TestFrom(t *testing.T) {
	k := someone(1)
	for _, tt := range []struct {
		name string
		from func(d *diary) []string
		want [3]Fault // of the first record, of the second, and of one in another space
	}{
		{"no place", func(*diary) []string { return nil }, [3]Fault{}},
		{
			"after the first", func(d *diary) []string { return []string{d.from(1)} },
			[3]Fault{Sound, KeyCompromised, KeyCompromised},
		},
		{
			"from the beginning", func(d *diary) []string { return []string{d.from(0)} },
			[3]Fault{KeyCompromised, KeyCompromised, KeyCompromised},
		},
		{"another root", func(d *diary) []string { return []string{FromLine(d.space, 1, "x")} }, [3]Fault{}},
		{
			"a log that is not so long",
			func(d *diary) []string { return []string{FromLine(d.space, 9, rootOf(d.space, 9))} }, [3]Fault{},
		},
		{"both spaces", func(d *diary) []string {
			other := k.did + "/other"
			return []string{d.from(1), FromLine(other, 1, rootOf(other, 1))}
		}, [3]Fault{Sound, KeyCompromised, Sound}},
		{
			"no lines of ours",
			func(d *diary) []string { return []string{"12 abc", "x y z", d.space + " -1 x", " "} }, [3]Fault{},
		},
		{"too many lines", func(d *diary) []string {
			return append(slices.Repeat([]string{FromLine("nowhere", 7, "x")}, maxFrom), d.from(0))
		}, [3]Fault{}},
	} {
		d := newDiary(t, k)
		one, two := d.wrote(k), d.wrote(k)
		home := d.space
		d.space = k.did + "/other"
		three := d.wrote(k)
		d.space = home
		d.said(k, revokes(k, memory.Compromised, tt.from(d)...))
		for i, r := range []*memory.Record{one, two, three} {
			d.speaks(fmt.Sprintf("%s: record %d", tt.name, i+1), r, k, tt.want[i])
		}
		ring := d.ringOf(d.log)
		ring.Agrees = nil
		if got := ring.Fault(one); got != Sound {
			t.Errorf("%s, and nothing is agreed with: %q", tt.name, got)
		}
	}
	d := newDiary(t, k)
	d.said(k, revokes(k, memory.Lost, FromLine("elsewhere", 5, "x")))
	if got := d.ringOf(d.log).Awaited("elsewhere", 5); !slices.Equal(got, []string{k.did}) {
		t.Errorf("Awaited at the place it names = %s, want the key", got)
	}
	if got := d.ringOf(d.log).Awaited("elsewhere", 4); got != nil {
		t.Errorf("Awaited before = %s, want none", got)
	}
}

// TestGraverFault: what says less does not hide that a key was stolen.
func TestGraverFault(t *testing.T) {
	k1, agent := someone(1), someone(2)
	d := newDiary(t, k1)
	b := delegates(agent)
	b.Expires = memory.At(noon.Add(time.Hour))
	agent.grant, agent.origin = d.said(k1, b).ID, memory.OriginAgent
	d.speaks("in time", d.wrote(agent), k1, Sound)
	expired := d.write(agent, noon.Add(2*time.Hour), &memory.Belief{Statement: "x"})
	d.came(expired)
	d.speaks("too late", expired, k1, KeyExpired)
	d.said(k1, revokes(agent, memory.Compromised))
	stolen := d.write(agent, noon.Add(2*time.Hour), &memory.Belief{Statement: "x"})
	d.came(stolen)
	d.speaks("stolen, and dated late", stolen, k1, KeyCompromised)
	d.said(k1, revokes(k1, memory.Lost))
	agent.grant = d.said(k1, delegates(agent)).ID
	d.speaks("stolen, under a delegation that came late", d.wrote(agent), k1, KeyCompromised)
}

func TestOfDelegation(t *testing.T) {
	k1, agent := someone(1), someone(2)
	d := newDiary(t, k1)
	one := d.said(k1, delegates(agent))
	two := d.said(k1, delegates(agent))
	d.said(k1, &memory.Key{Op: memory.OpRevoke, Key: agent.did, Reason: memory.Lost, Of: ref(one)})
	agent.origin = memory.OriginAgent
	for grant, want := range map[memory.ID]Fault{one.ID: KeyRevoked, two.ID: Sound} {
		agent.grant = grant
		d.speaks("under one of two delegations", d.wrote(agent), k1, want)
	}
}

// TestCompromisedIsQuarantined: what came from a stolen key is hidden until somebody
// who may releases it.
func TestCompromisedIsQuarantined(t *testing.T) {
	k1, k2, agent, saver, eve := someone(1), someone(2), someone(3), someone(4), someone(5)
	d := newDiary(t, k1)
	d.said(k1, begins(k1, saver))
	agent.grant, agent.origin = d.said(k1, delegates(agent)).ID, memory.OriginAgent
	other := someone(6)
	other.grant, other.origin = d.said(k1, delegates(other)).ID, memory.OriginAgent
	before := d.wrote(agent)
	d.said(k1, revokes(agent, memory.Compromised))
	after := d.wrote(agent)
	d.said(saver, rotates(k1, k2), k2)
	fold := func(r *memory.Record, about ...*memory.Record) State {
		return Fold(r, about, noon.Add(time.Hour), d.ringOf(d.log))
	}
	if s := fold(before); s.Quarantined {
		t.Errorf("what came before is quarantined: %+v", s)
	}
	if s := fold(after); !s.Quarantined || s.Reason == "" || s.Live() {
		t.Errorf("what came from a stolen key is %+v, want it quarantined", s)
	}
	for name, tt := range map[string]struct {
		by   actor
		want bool
	}{
		"the owner's new key": {k2, true}, "the owner's old key": {k1, false}, "the thief": {agent, false},
		"another agent": {other, false}, "a stranger": {eve, false},
	} {
		m := d.write(tt.by, noon, &memory.Mark{Of: ref(after), Verb: memory.Release})
		d.places[m.ID] = Arrival{d.space, 99, noon.Add(time.Hour)}
		if got := !fold(after, m).Quarantined; got != tt.want {
			t.Errorf("released by %s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestMayHide: in his own store the keeper decides what is shown of a stranger's
// memory, and nothing else about it.
func TestMayHide(t *testing.T) {
	keeper, eve := someone(1), someone(2)
	d := newDiary(t, eve) // her space, so that the keeper has no say but as keeper
	agent := someone(3)
	agent.grant, agent.origin = d.said(keeper, delegates(agent)).ID, memory.OriginAgent
	r := d.wrote(eve)
	prior := map[string]string{
		memory.Recover:   memory.Forget,
		memory.Release:   memory.Quarantine,
		memory.Unprotect: memory.Protect,
	}
	for by, actor := range map[string]actor{"keeper": keeper, "agent": agent} {
		for _, kept := range []string{keeper.did, eve.did, "*", ""} {
			d.keeper = kept
			ring := d.ringOf(d.log)
			change := func(about ...*memory.Record) bool {
				now := noon.Add(24 * time.Hour)
				return Fold(r, about, now, ring) != Fold(r, about[:len(about)-1], now, ring)
			}
			claim := func(b memory.Body) *memory.Record { return d.write(actor, noon.Add(time.Hour), b) }
			for _, verb := range []string{
				memory.Forget, memory.Quarantine, memory.Recover, memory.Release, memory.Purge, memory.Approve, memory.Reject,
				memory.Protect, memory.Unprotect, memory.Status, memory.Progress, memory.Done,
				memory.Intensity, memory.Outcome,
			} {
				var about []*memory.Record
				if p := prior[verb]; p != "" {
					about = append(about, d.write(eve, noon, &memory.Mark{Of: ref(r), Verb: p}))
				}
				got := change(
					append(
						about,
						claim(&memory.Mark{Of: ref(r), Verb: verb, Value: map[bool]string{true: "success"}[verb != memory.Release]}),
					)...,
				)
				want := by == "keeper" && kept == keeper.did && slices.Contains(
					[]string{memory.Forget, memory.Quarantine, memory.Recover, memory.Release, memory.Purge}, verb,
				)
				if got != want {
					t.Errorf("%s by the %s where %q keeps: changed %v, want %v", verb, by, kept, got, want)
				}
			}
			for what, c := range map[string]*memory.Record{
				"verify": claim(&memory.Verify{Of: r.Ref()}), "assess": claim(&memory.Assess{Of: r.Ref(), Step: 5}),
				"supersede": d.revise(actor, noon.Add(time.Hour), "y", r),
			} {
				if change(c) {
					t.Errorf("%s by the %s where %q keeps changes a stranger's memory", what, by, kept)
				}
			}
		}
	}
}
