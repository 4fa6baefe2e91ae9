package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// testLateKnown holds the arrivals by which states were once wrong.
func testLateKnown(p *place) {
	for _, tt := range []struct {
		name string
		make func(ann, eve *Author) [][]*memory.Record // batches
	}{
		{"a source under two of its own batch", func(ann, _ *Author) [][]*memory.Record {
			raw := ann.Raw(p, "raw")
			src := ann.Belief(p, "source", raw)
			one := ann.Belief(p, "one", src)
			two := ann.Belief(p, "two", one)
			return [][]*memory.Record{{raw}, {one, two, src}}
		}},
		{"a claim that comes before in one batch", func(ann, _ *Author) [][]*memory.Record {
			raw := ann.Raw(p, "raw")
			one := ann.Belief(p, "one", raw)
			two := ann.Belief(p, "two", one)
			return [][]*memory.Record{{raw}, {ann.Mark(p, memory.Protect, two), one, two}}
		}},
		{"words of another run, under bits that do not change", func(ann, _ *Author) [][]*memory.Record {
			own := ann.Raw(p, "of run x", InRun("x"))
			other := ann.Raw(p, "of run z", InRun("z"))
			mid := ann.Make(p, &memory.Belief{Statement: "of run y"}, From(own, other), InRun("y"))
			top := ann.Make(p, &memory.Belief{Statement: "of run x"}, From(mid), InRun("x"))
			return [][]*memory.Record{{own, mid, top}, {other}}
		}},
		{"two strangers who revise", func(ann, eve *Author) [][]*memory.Record {
			belief := ann.Belief(p, "the owner's")
			return [][]*memory.Record{{belief}, {eve.Revise(p, "not so", belief)}, {eve.Revise(p, "never", belief)}}
		}},
		{"a stranger who merges", func(ann, eve *Author) [][]*memory.Record {
			a, b := ann.Belief(p, "a"), ann.Belief(p, "b")
			return [][]*memory.Record{{a, b}, {eve.Revise(p, "neither", a, b)}}
		}},
		{"a loser that goes on", func(ann, _ *Author) [][]*memory.Record {
			root := ann.Belief(p, "root")
			one, two := ann.Revise(p, "one", root), ann.Revise(p, "two", root)
			return [][]*memory.Record{{root, one, two}, {ann.Revise(p, "one goes on", one)}, {ann.Revise(p, "two goes on", two)}}
		}},
		{"a winner that is rejected, further on than the fork", func(ann, _ *Author) [][]*memory.Record {
			root := ann.Belief(p, "root")
			one, two := ann.Revise(p, "one", root), ann.Revise(p, "two", root)
			three := ann.Revise(p, "three", two)
			return [][]*memory.Record{{root, one, two, three}, {ann.Mark(p, memory.Reject, three)}}
		}},
		{"a memory that another put in the place of one that was rejected", func(ann, _ *Author) [][]*memory.Record {
			old, newer, newest := ann.Belief(p, "old"), ann.Belief(p, "newer"), ann.Belief(p, "newest")
			link := func(a, b *memory.Record) *memory.Record {
				return ann.Make(p, &memory.Link{Source: a.Ref(), Target: b.Ref(), Relation: memory.Update})
			}
			no := ann.Mark(p, memory.Reject, newest, newer)
			return [][]*memory.Record{{no, old, newer}, {newest}, {link(newer, newest)}, {link(old, newer)}}
		}},
		{"a fork that is merged", func(ann, _ *Author) [][]*memory.Record {
			root := ann.Belief(p, "root")
			one, two := ann.Revise(p, "one", root), ann.Revise(p, "two", root)
			return [][]*memory.Record{{root, one, two}, {ann.Revise(p, "both", one, two)}}
		}},
		{"a key that comes last", func(ann, eve *Author) [][]*memory.Record {
			bot, delegation := ann.NewAgent(p, ann.Key+" bot")
			bot.Space = eve.Space // so that only the key gives ann a right
			belief := bot.Belief(p, "the agent's")
			one, two := ann.Revise(p, "one", belief), ann.Revise(p, "two", belief)
			return [][]*memory.Record{{belief, one, two}, {delegation}}
		}},
	} {
		p.Run(tt.name, func(t *testing.T) {
			q := &place{T: t, Store: p.Store}
			q.now.Store(p.now.Load())
			batches := tt.make(NewOwner(tt.name), NewOwner(tt.name+" stranger"))
			var all []*memory.Record
			for i, b := range batches {
				all = append(all, b...)
				q.add(b...)
				q.holds(fmt.Sprint("after batch ", i), all)
			}
		})
	}
}

// testLate appends small graphs in random order and in random batches: the states must be
// those that all records together give.
func testLate(p *place) {
	const cases = 60
	for seed := range uint64(cases) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(p, fmt.Sprint("late ", seed), rnd)
		for range 8 + rnd.IntN(12) {
			w.grow()
		}
		rnd.Shuffle(len(w.all), func(i, j int) { w.all[i], w.all[j] = w.all[j], w.all[i] })
		for rest := w.all; len(rest) > 0; {
			n := 1 + rnd.IntN(min(4, len(rest)))
			p.add(rest[:n]...)
			rest = rest[n:]
			if rnd.IntN(4) == 0 {
				p.holds(fmt.Sprintf("seed %d, half way", seed), w.all[:len(w.all)-len(rest)])
			}
		}
		p.holds(fmt.Sprint("seed ", seed), w.all)
		if p.Failed() {
			for i, r := range w.all {
				p.Logf("%2d %s %s: %v", i, r.Ref().Short(), r.Headline(), arrows(graph.Edges(r)))
			}
			return
		}
	}
}

// world makes random records that speak of one another.
type world struct {
	t       testing.TB
	rnd     *rand.Rand
	authors []*Author // owner, agent, owner elsewhere, another owner, a stranger
	all     []*memory.Record
	mems    []*memory.Record
	claims  []*memory.Record
	owners  []*Author     // who may speak of keys
	log     func() string // a place in a log, for what counts from there
}

func newWorld(t testing.TB, name string, rnd *rand.Rand) *world {
	ann, bob, eve := NewOwner(name+" ann"), NewOwner(name+" bob"), NewOwner(name+" eve")
	bot, delegation := ann.NewAgent(t, name+" bot")
	aid, delegated := bob.NewAgent(t, name+" aid")
	aid.Space, eve.Space = ann.Space, ann.Space
	w := &world{t: t, rnd: rnd, authors: []*Author{ann, ann, bot, ann.On("work"), bot.On("work"), bob, aid, eve}}
	next, saver := NewOwner(name+" ann's next"), NewOwner(name+" ann's saver")
	next.Space = ann.Space
	w.authors = append(w.authors, next)
	w.owners = []*Author{ann, ann.On("work"), next, saver, bob, eve, bot.alone(), aid.alone()}
	w.all = []*memory.Record{delegation, delegated}
	return w
}

// grow adds a record, in most cases a claim about earlier ones.
func (w *world) grow() *memory.Record {
	a, n := w.authors[w.rnd.IntN(len(w.authors))], len(w.all)
	change := []func(*memory.Header){InRun([]string{"", "x", "y", "z"}[w.rnd.IntN(4)])}
	if w.rnd.IntN(4) == 0 {
		change = append(change, Dated(Start)) // many at one instant
	}
	if w.rnd.IntN(5) == 0 {
		change = append(change, Known(fmt.Sprint("alias ", w.rnd.IntN(9))))
	}
	words := fmt.Sprintf("%s of the %s, number %d", w.word(), w.word(), n)
	var r *memory.Record
	switch kind := w.rnd.IntN(14); {
	case kind >= 12:
		r = w.key()
	case kind < 3 || len(w.mems) == 0:
		r = a.Raw(w.t, words, change...)
	case kind < 5:
		body := []memory.Body{&memory.Belief{Statement: words}, &memory.Note{Type: "insight", Summary: words}}[w.rnd.IntN(2)]
		r = a.Make(w.t, body, append(change, From(refsWithin(w.t, w.rnd.IntN, w.mems, 3)...))...)
	case kind < 8:
		r = w.revision(a, words, change)
	default:
		r = w.claim(a, change)
	}
	w.all = append(w.all, r)
	if r.Header.Kind.IsMemory() {
		w.mems = append(w.mems, r)
	} else {
		w.claims = append(w.claims, r)
	}
	return r
}

// revision replaces one or two beliefs, which may have been replaced before.
func (w *world) revision(a *Author, words string, change []func(*memory.Header)) *memory.Record {
	beliefs := slices.DeleteFunc(
		slices.Clone(w.mems), func(r *memory.Record) bool { return r.Header.Kind != memory.KindBelief },
	)
	body := &memory.Belief{Statement: words}
	if len(beliefs) == 0 {
		return a.Make(w.t, body, change...)
	}
	return a.Make(w.t, body, append(change, Replacing(refsWithin(w.t, w.rnd.IntN, beliefs, 1+w.rnd.IntN(2))...))...)
}

func (w *world) claim(a *Author, change []func(*memory.Header)) *memory.Record {
	of := w.mems[w.rnd.IntN(len(w.mems))]
	if w.rnd.IntN(6) == 0 {
		of = w.all[w.rnd.IntN(len(w.all))]
	}
	if w.rnd.IntN(8) == 0 {
		change = append(change, Dated(Start.Add(24*hour+minutes(w.rnd.IntN(20)))))
	}
	if w.rnd.IntN(5) == 0 {
		if marks := slices.DeleteFunc(
			slices.Clone(w.claims), func(r *memory.Record) bool { return r.Header.Kind != memory.KindMark },
		); len(marks) > 0 {
			old := marks[w.rnd.IntN(len(marks))]
			subject := *old.Body.(*memory.Mark).Of
			return a.Make(w.t, &memory.Mark{Of: &subject, Verb: memory.Unprotect}, append(change, Replacing(old))...)
		}
	}
	to := memory.Confidence(w.rnd.IntN(int(memory.Certain)))
	verbs := []string{
		memory.Approve, memory.Reject, memory.Protect, memory.Forget, memory.Recover, memory.Quarantine,
		memory.Release, memory.Done, "unheard_of",
	}
	other := w.mems[w.rnd.IntN(len(w.mems))]
	bodies := []memory.Body{
		markOf(verbs[w.rnd.IntN(len(verbs))], of),
		markOf(verbs[w.rnd.IntN(len(verbs))], refsWithin(w.t, w.rnd.IntN, w.mems, 3)...),
		&memory.Verify{Of: of.Ref(), Notes: w.word()},
		&memory.Assess{Of: of.Ref(), To: &to, Because: []memory.Ref{other.Ref()}},
		&memory.Assess{Of: of.Ref(), Step: 1 + w.rnd.IntN(100)},
		&memory.Witness{Of: of.Ref(), Attestation: memory.Attestations[w.rnd.IntN(len(memory.Attestations))]},
		&memory.Anchor{Of: of.Ref(), Type: "url", Reference: "https://example.org/" + w.word()},
	}
	if other != of {
		bodies = append(bodies, &memory.Link{Source: other.Ref(), Target: of.Ref(), Relation: "extend", Reason: w.word()})
		if other.Header.Kind == of.Header.Kind && w.rnd.IntN(2) == 0 {
			return a.Make(w.t, &memory.Link{Source: other.Ref(), Target: of.Ref(), Relation: memory.Update}, change...)
		}
	}
	return a.Make(w.t, bodies[w.rnd.IntN(len(bodies))], change...)
}

// key says something of a key: now and then something that counts.
func (w *world) key() *memory.Record {
	one := func() *Author { return w.owners[w.rnd.IntN(len(w.owners))] }
	by, of, other := one(), one(), one()
	switch w.rnd.IntN(6) {
	case 0:
		return by.Make(w.t, &memory.Key{Op: memory.OpInception, Key: by.Key, Next: state.Commitment(other.Key)})
	case 1:
		if other.Key == by.Key {
			other = w.owners[2]
		}
		if other.Key != of.Key {
			return by.Rotate(w.t, of, other)
		}
		return by.Make(w.t, &memory.Key{Op: memory.OpRecovery, Key: by.Key, Next: state.Commitment(other.Key)})
	case 2:
		agent, delegation := by.NewAgent(w.t, fmt.Sprint(by.Key, " agent ", len(w.all)))
		w.authors = append(w.authors, agent)
		return delegation
	}
	if w.rnd.IntN(2) == 0 && len(w.authors) > 0 {
		of = w.authors[w.rnd.IntN(len(w.authors))]
	}
	if w.rnd.IntN(2) == 0 {
		by = w.owners[0]
	}
	b := &memory.Key{Op: memory.OpRevoke, Key: of.Key, Reason: memory.RevokeReasons[w.rnd.IntN(len(memory.RevokeReasons))]}
	if w.log != nil && w.rnd.IntN(2) == 0 {
		b.From = w.log()
	}
	return by.Make(w.t, b)
}

func (w *world) word() string {
	list := []string{"harbour", "painting", "max_retries", "river", "Brücke", "committee", "记忆", "window", "running"}
	return list[w.rnd.IntN(len(list))]
}
