package state

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A chooser gives numbers below n: of a seed, or of a fuzzer's bytes.
type chooser func(n int) int

// randomHistory says n things about six keys in two spaces, some of which have come
// at one instant and some not at all, and gives records to judge.
func randomHistory(d *diary, n int, choose chooser) (about []*memory.Record) {
	keys := []actor{someone(1), someone(2), someone(3), someone(4), someone(5), someone(6)}
	one := func() actor { return keys[choose(len(keys))] }
	spaces := []string{keys[0].did + "/main", keys[0].did + "/other"}
	var grants []actor
	for range n {
		by, of, next := one(), one(), one()
		if choose(2) == 0 {
			of = by
		}
		var b *memory.Key
		var also []actor
		switch choose(8) {
		case 0:
			b = begins(of, next)
		case 1:
			b = &memory.Key{Op: memory.OpRecovery, Key: of.did, Next: Commitment(next.did)}
		case 2, 3:
			b, also = rotates(of, next), []actor{next}
			if choose(4) == 0 {
				b.Next = Commitment(one().did)
			}
		case 4:
			b = delegates(next)
		default:
			b = revokes(of, memory.RevokeReasons[choose(len(memory.RevokeReasons))])
			if choose(3) == 0 {
				d.space = spaces[choose(2)]
				b.From = d.from(int64(choose(n)))
			}
			if len(grants) > 0 && choose(4) == 0 {
				b.Of = &memory.Ref{Kind: memory.KindKey, ID: grants[choose(len(grants))].grant}
			}
		}
		d.space = spaces[choose(2)]
		r := d.key(by, b, also...)
		if b.Op == memory.OpDelegate {
			next.grant, next.origin = r.ID, memory.OriginAgent
			grants = append(grants, next)
		}
		if choose(8) == 0 {
			d.log = append(d.log, r) // said, and not in the reader's log yet
		} else {
			d.came(r)
		}
		if choose(4) == 0 { // the next comes at the same instant
			d.ticks--
		}
	}
	if choose(2) == 0 {
		d.keeper = keys[choose(len(keys))].did
	}
	about = slices.Clone(d.log)
	for _, a := range append(keys, grants...) {
		d.space = spaces[choose(2)]
		r := d.write(a, noon, &memory.Belief{Statement: "x"})
		if choose(2) == 0 {
			d.came(r)
			d.log = d.log[:len(d.log)-1]
		}
		about = append(about, r)
	}
	return about
}

// judged returns the voices and faults of records by a ring of key records in an order.
func (d *diary) judged(order, about []*memory.Record) (voices []Voice, faults []Fault) {
	k := d.ringOf(order)
	for _, r := range about {
		v, f := k.Judge(r)
		voices, faults = append(voices, v), append(faults, f)
	}
	return voices, faults
}

// TestKeyringOrder: the order in which a ring learns of key records never matters.
func TestKeyringOrder(t *testing.T) {
	faults := make(map[Fault]int)
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		d := newDiary(t, someone(1))
		about := randomHistory(d, 12, rnd.IntN)
		order := slices.Clone(d.log)
		voices, said := d.judged(order, about)
		for _, f := range said {
			faults[f]++
		}
		for range 12 {
			rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			v, f := d.judged(order, about)
			if !slices.Equal(v, voices) || !slices.Equal(f, said) {
				t.Fatalf("seed %d: another order gives\n%v %v\nwant\n%v %v", seed, v, f, voices, said)
			}
		}
		half := len(order) / 2 // two rings joined, and a clone that went on, are as one
		joined := d.ringOf(order[:half])
		clone := joined.Clone()
		joined.Join(d.ringOf(order[half:]))
		for _, r := range order[half:] {
			clone.Add(r)
		}
		for i, r := range about {
			for what, k := range map[string]*Keyring{"joined": joined, "cloned": clone} {
				if v, f := k.Judge(r); v != voices[i] || f != said[i] {
					t.Fatalf("seed %d: %s gives %v %q, want %v %q", seed, what, v, f, voices[i], said[i])
				}
			}
		}
	}
	for _, f := range []Fault{Sound, KeyRevoked, KeyCompromised} {
		if faults[f] < 20 {
			t.Errorf("only %d records have the fault %q: the histories test too little", faults[f], f)
		}
	}
}

// FuzzKeyring: whatever is said of keys, judging ends, soon and the same each time.
func FuzzKeyring(f *testing.F) {
	f.Add([]byte("about keys and who may say so"))
	f.Add([]byte{5, 2, 3, 1, 0, 0, 0, 1, 2, 4, 4, 4, 9, 200, 7})
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 200
		in = in[:min(len(in), most)]
		at := 0
		choose := func(n int) int {
			if at++; at > len(in) {
				return 0
			}
			return int(in[at-1]) % n
		}
		d := newDiary(t, someone(1))
		about := randomHistory(d, len(in)/6, choose)
		voices, faults := d.judged(d.log, about)
		back := slices.Clone(d.log)
		slices.Reverse(back)
		if v, f := d.judged(back, about); !slices.Equal(v, voices) || !slices.Equal(f, faults) {
			t.Errorf("backwards it is %v %v, want %v %v", v, f, voices, faults)
		}
	})
}

// TestManyRevocations counts how often a ring asks where something stands, where
// there is much to ask. A stranger pays for what he says of himself alone.
func TestManyRevocations(t *testing.T) {
	const many = 1000
	owner, agent, eve := someone(1), someone(2), someone(3)
	for _, tt := range []struct {
		name string
		by   actor
		of   actor
		most int // questions for each judgement
	}{
		{"a stranger's, of an owner's key", eve, owner, 4},
		{"a stranger's, of an agent's key", eve, agent, 4},
		{"the owner's, of his agent", owner, agent, 2 * many},
		{"of a key by itself", owner, owner, 2 * many},
	} {
		d := newDiary(t, owner)
		agent := agent
		agent.grant, agent.origin = d.said(owner, delegates(agent)).ID, memory.OriginAgent
		by := tt.by
		r := d.write(owner, noon, &memory.Belief{Statement: "x"})
		if tt.of.did == agent.did {
			r = d.write(agent, noon, &memory.Belief{Statement: "x"})
		}
		for i := range many {
			v := d.key(by, revokes(tt.of, memory.RevokeReasons[i%len(memory.RevokeReasons)]))
			d.places[v.ID] = Arrival{d.space, int64(i + 2), noon.Add(time.Duration(i) * time.Second)}
			d.log = append(d.log, v)
		}
		k := d.ringOf(d.log)
		d.asked = 0
		start := time.Now()
		k.Judge(r)
		if d.asked > tt.most {
			t.Errorf("%s: %d questions, want at most %d", tt.name, d.asked, tt.most)
		}
		t.Logf("%s: %d questions, %v", tt.name, d.asked, time.Since(start))
	}
}

// TestMesh: a stranger's keys that follow one another, each taking all others back,
// cost no more than there are of them, squared.
func TestMesh(t *testing.T) {
	const keys = 30
	for _, backwards := range []bool{false, true} {
		d := newDiary(t, someone(0))
		for i := range byte(keys) {
			for j := range byte(keys) {
				if i != j {
					d.said(someone(i), revokes(someone(j), memory.Lost))
				}
			}
			if i+1 < keys {
				d.said(someone(i), rotates(someone(i), someone(i+1)), someone(i+1))
			}
		}
		r := d.wrote(someone(keys - 1))
		if backwards {
			slices.Reverse(d.log)
		}
		k := d.ringOf(d.log)
		d.asked = 0
		start := time.Now()
		if got := k.Fault(r); got != KeyRevoked {
			t.Errorf("the last of a mesh has fault %q, want it revoked by the first", got)
		}
		if most := 100 * keys * keys; d.asked > most {
			t.Errorf("%d questions, want at most %d", d.asked, most)
		}
		t.Logf("%d questions, %v", d.asked, time.Since(start))
	}
}
