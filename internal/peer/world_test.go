package peer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A world is some stores and a hub, in which one seed decides everything: who
// writes what, which messages are lost, repeated and late, who falls over between
// which two steps, and what the clocks show.
type world struct {
	testing.TB
	seed    uint64
	dice    *rand.Rand
	haste   *rand.Rand // of hints: whose are heeded at once
	now     time.Time
	hub     *site
	serving *Hub // what the hub has in memory
	sites   []*sim
	late    []func()         // requests that are still on their way
	reach   map[string]bool  // who can reach the hub
	written []*memory.Record // everything that was ever stored first
	home    map[memory.ID]*sim
	space   string
	team    []*person
	broken  *broken // nil is as it should be
	fate    *fate
	purging *rand.Rand // nil is that nobody purges anything
	purged  map[memory.ID]bool
	ticks   int
}

// sim is one store in a world.
type sim struct {
	*site
	who    *person
	skew   time.Duration
	filter Filter
	next   func() (Effect, bool) // the sync under way
	done   map[Effect]bool       // what was done when it was only announced
	stop   func()
	x      *Exchange
	kept   []*memory.Record // what a broken store has said it stored
}

// people are made once: their first records are the same in every world.
var people = sync.OnceValue(func() []*person {
	var t testing.T
	ann, bob := newPerson(&t, "ann"), newPerson(&t, "bob")
	return []*person{ann, ann.agent(&t, "first"), ann.agent(&t, "second"), bob, bob.agent(&t, "third")}
})

func newWorld(tb testing.TB, seed uint64, b *broken) *world {
	w := &world{
		TB: tb, seed: seed, dice: rand.New(rand.NewPCG(seed, 7)), haste: rand.New(rand.NewPCG(seed, 13)),
		now:   start.Add(24 * time.Hour),
		reach: make(map[string]bool), home: make(map[memory.ID]*sim), broken: b, fate: newFate(seed),
	}
	w.hub = newSite(tb, "hub")
	w.hub.named = named{w.memory(w.tick), "hub"}
	w.serving = w.hub.hub()
	for _, p := range people() {
		c := *p
		c.made = 1000
		w.team = append(w.team, &c)
	}
	w.space = w.team[0].key.DID() + "/team"
	n := 3 + w.dice.IntN(3)
	for i := range n {
		s := &sim{site: newSite(tb, fmt.Sprint("store", i)), who: w.team[i%len(w.team)]}
		s.named = named{w.memory(func() time.Time { return w.tick().Add(s.skew) }), s.name}
		s.filter.NoRaw = true
		if i == n-1 && w.dice.IntN(3) == 0 {
			s.filter.Tags = []string{"work"}
		}
		w.store(s, s.who.identity...)
		w.sites = append(w.sites, s)
		w.reach[s.name] = true
	}
	w.lets()
	return w
}

// tick returns the time, which goes on while things happen.
func (w *world) tick() time.Time {
	w.ticks++
	return w.now.Add(time.Duration(w.ticks) * time.Millisecond)
}

// store keeps records a person made at a site.
func (w *world) store(s *sim, rs ...*memory.Record) {
	if _, err := s.Append(context.Background(), store.Batch{Records: rs}); err != nil {
		w.Fatalf("seed %d: %v", w.seed, err)
	}
	for _, r := range rs {
		if w.home[r.ID] == nil {
			w.home[r.ID] = s
			w.written = append(w.written, r)
		}
	}
}

// run lets things happen.
func (w *world) run() {
	for i := range 150 + w.dice.IntN(250) {
		s := w.sites[w.dice.IntN(len(w.sites))]
		w.now = w.now.Add(time.Duration(w.dice.IntN(5000)) * time.Millisecond)
		w.hub.now = w.now
		w.strikes(i)
		w.purges()
		switch d := w.dice.IntN(100); {
		case d < 14:
			w.write(s)
		case d < 90:
			w.step(s)
		case d < 92:
			w.crash(s)
		case d < 94:
			w.serving = w.hub.hub() // it fell over, and was started again
			if w.broken != nil {
				w.broken.hubFell()
			}
		case d < 96:
			w.reach[s.name] = !w.reach[s.name]
		case d < 97:
			w.now = w.now.Add(time.Duration(w.dice.IntN(30*24)) * time.Hour) // everybody sleeps
		case d < 98:
			s.skew = []time.Duration{-24 * time.Hour, -5 * time.Minute, 0, time.Hour, 10 * 365 * 24 * time.Hour}[w.dice.IntN(5)]
		case len(w.late) > 0:
			i := w.dice.IntN(len(w.late))
			w.late[i]()
			w.late = slices.Delete(w.late, i, i+1)
		}
	}
}

// beliefs returns those of the space that a site holds, the oldest first.
func (w *world) beliefs(s *sim) []*memory.Record {
	var seen []*memory.Record
	for it, err := range s.List(
		context.Background(),
		store.Query{Kinds: []memory.Kind{memory.KindBelief}, Spaces: []string{w.space}, Hidden: true, Oldest: true},
	) {
		if err != nil {
			w.Fatal(err)
		}
		if it.Record != nil {
			seen = append(seen, it.Record)
		}
	}
	return seen
}

// write lets the person at a site do something to what he sees.
func (w *world) write(s *sim) {
	at := func(h *memory.Header) {
		h.At = memory.At(w.now.Add(s.skew))
		if w.dice.IntN(2) == 0 {
			h.Tags = []string{"work"}
		}
	}
	seen := w.beliefs(s)
	pick := func() *memory.Record { return seen[w.dice.IntN(len(seen))] }
	words := fmt.Sprintf("%s %d", s.name, w.dice.Uint64())
	d := w.dice.IntN(10)
	if len(seen) < 2 {
		d = 0
	}
	switch {
	case d < 2:
		w.store(s, s.who.belief(w, w.space, words, at))
	case d < 3:
		w.store(s, s.who.make(w, w.space, &memory.Raw{Text: words}, at))
	case d < 7:
		old := pick()
		if w.dice.IntN(2) == 0 { // what everybody works on at once
			old = seen[0]
		}
		w.store(s, s.who.belief(w, w.space, words, at, revises(old)))
	case d < 8:
		a, b := pick(), pick()
		if a == b {
			return
		}
		w.store(s, s.who.belief(w, w.space, words, at, revises(a, b)))
	default:
		ref := pick().Ref()
		verb := []string{memory.Approve, memory.Forget, memory.Recover, memory.Protect}[w.dice.IntN(4)]
		w.store(s, s.who.make(w, w.space, &memory.Mark{Verb: verb, Of: &ref}, at))
	}
}

// step begins a sync, or lets it go on by one effect.
func (w *world) step(s *sim) {
	if s.next == nil {
		w.begin(s)
	}
	e, more := s.next()
	if !more {
		w.crash(s) // it is over
		return
	}
	w.hasten(s, e)
}

// hasten does an effect, and some at once that are only announced: then what was
// announced before it comes after it.
func (w *world) hasten(s *sim, e Effect) {
	b, hint := e.(*Begin)
	switch {
	case hint && w.haste.IntN(2) == 0:
		s.done[b.Of] = true
		w.do(s, b.Of)
	case hint:
	case s.done[e]:
		delete(s.done, e)
	default:
		w.do(s, e)
	}
}

func (w *world) begin(s *sim) {
	s.x = New(
		Options{Peer: "hub", Store: s.name, Push: true, Pull: true, Filter: s.filter, Page: 1 + w.dice.IntN(7), Tries: 2},
	)
	s.next, s.stop = iter.Pull(s.x.Effects())
	s.done = make(map[Effect]bool)
}

// crash forgets all that is not stored.
func (w *world) crash(s *sim) {
	if s.next != nil {
		s.stop()
	}
	s.next, s.stop = nil, nil
	s.kept = nil
}

var errNet = errors.New("connection reset")

// do does an effect as the world allows.
func (w *world) do(s *sim, e Effect) {
	ctx := context.Background()
	if w.broken != nil && w.broken.does(w, s, e) {
		return
	}
	if !asks(e) {
		s.local().Do(ctx, e)
		return
	}
	if !w.reach[s.name] {
		fail(e)
		return
	}
	remote := w.remote(s)
	switch d := w.dice.IntN(40); {
	case d == 0: // never arrives
		fail(e)
	case d == 1: // the answer never arrives
		Ask(ctx, remote, e)
		fail(e)
	case d == 2: // arrives twice
		Ask(ctx, remote, e)
		Ask(ctx, remote, e)
	case d == 3: // arrives when nobody waits for it any more
		again := clone(e)
		w.late = append(w.late, func() { Ask(ctx, w.remote(s), again) })
		fail(e)
	default:
		Ask(ctx, remote, e)
	}
}

func (w *world) remote(s *sim) Remote {
	r := w.serving.For(Caller{Account: "team", Any: true})
	if w.broken != nil && w.broken.remote != nil {
		return w.broken.remote(w, r)
	}
	return r
}

// heal mends everything, and gives the number of rounds after which no one lacks
// anything.
func (w *world) heal() (rounds int, err error) {
	for _, late := range w.late {
		late()
	}
	w.late, w.now = nil, w.now.Add(20*365*24*time.Hour) // all that was dated ahead has come due
	for _, s := range w.sites {
		w.crash(s)
		s.skew, w.reach[s.name] = 0, true
	}
	w.hub.now = w.now
	for rounds = 1; ; rounds++ {
		for _, s := range w.sites {
			x := New(Options{Peer: "hub", Store: s.name, Push: true, Pull: true, Filter: s.filter})
			for e := range x.Effects() {
				if w.broken != nil && w.broken.does(w, s, e) {
					continue
				}
				if !Ask(context.Background(), w.remote(s), e) {
					s.local().Do(context.Background(), e)
				}
			}
			if x.Err() != nil {
				return rounds, fmt.Errorf("%s: %w", s.name, x.Err())
			}
			for _, sp := range x.Report().Spaces {
				if sp.Problem != "" || len(sp.Refused)+len(sp.Back) > 0 {
					return rounds, fmt.Errorf("%s: %+v", s.name, sp)
				}
			}
		}
		if err = w.converged(); err == nil || rounds == 3 {
			return rounds, err
		}
	}
}

// converged compares every store with one to which everything was told in the order
// in which it was written.
func (w *world) converged() error {
	ctx := context.Background()
	model := w.memory(func() time.Time { return w.now })
	if _, err := model.Append(ctx, store.Batch{Records: w.written}); err != nil {
		return err
	}
	if len(w.written) == 0 {
		return nil
	}
	want, err := model.Get(ctx, IDs(w.written)...)
	if err != nil {
		return err
	}
	limited := slices.ContainsFunc(w.written, w.limit)
	ring, err := model.Keyring(ctx)
	if err != nil {
		return err
	}
	all := append([]*sim{{site: w.hub, filter: Filter{NoRaw: true}}}, w.sites...)
	for _, s := range all {
		got, err := s.Get(ctx, IDs(w.written)...)
		if err != nil {
			return err
		}
		for i, r := range w.written {
			from := w.home[r.ID]
			switch travels := from.filter.Chooses(r) && s.filter.Chooses(r); {
			case got[i] == nil && (travels || s == from):
				return fmt.Errorf("%s lacks %s of %s", s.name, r.Ref().Short(), from.name)
			case got[i] != nil && !travels && s != from:
				return fmt.Errorf("%s has %s, which was to stay at %s", s.name, r.Ref().Short(), from.name)
			case got[i] == nil || len(s.filter.Tags) > 0 || w.selective() || limited:
			case got[i].State != want[i].State:
				return fmt.Errorf("%s shows %s as %+v, not %+v", s.name, r.Ref().Short(), got[i].State, want[i].State)
			}
		}
		if err := w.sound(s); err != nil {
			return err
		}
		if err := w.checkKeys(s, ring); err != nil {
			return err
		}
	}
	return nil
}

// selective reports whether anybody keeps claims to himself, so that not all know
// what all know.
func (w *world) selective() bool {
	return slices.ContainsFunc(w.sites, func(s *sim) bool { return len(s.filter.Tags) > 0 })
}

// sound looks for records that stand in a log twice, and for a tree that is not that
// of the log.
func (w *world) sound(s *sim) error {
	page, err := s.Since(context.Background(), w.space, 0, 1<<20)
	if err != nil {
		return err
	}
	var f ledger.Frontier
	seen := make(map[memory.ID]bool)
	for _, c := range page {
		if seen[c.ID] {
			return fmt.Errorf("%s: %s appears twice in the log", s.name, c.ID.Short())
		}
		seen[c.ID] = true
		f.Append(ledger.Hash(c.ID))
	}
	if tree, err := s.Tree(context.Background(), w.space); err != nil || tree.Root() != f.Root() {
		return fmt.Errorf("%s: the tree is not that of the log: %v", s.name, err)
	}
	return nil
}
