package peer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// An ending is that a key was replaced or taken back, at a store whose owner did it.
type ending struct {
	key  string
	by   *memory.Record
	seen map[memory.ID]bool // what that store held then: all of it stands, everywhere
}

// fate decides when keys of a world end. It has dice of its own, so that what else
// happens under a seed is what it always was.
type fate struct {
	dice    *rand.Rand
	moments []int
	endings []ending
}

func newFate(seed uint64) *fate {
	f := &fate{dice: rand.New(rand.NewPCG(seed, 11))}
	if f.dice.IntN(3) > 0 {
		for range 1 + f.dice.IntN(3) {
			f.moments = append(f.moments, f.dice.IntN(300))
		}
	}
	return f
}

// owners returns the stores of those who have agents.
func (w *world) owners() []*sim {
	if len(w.sites) > 3 {
		return []*sim{w.sites[0], w.sites[3]}
	}
	return w.sites[:1]
}

// lets has every owner's store hold what lets his agents act, where that was said.
func (w *world) lets() {
	for _, s := range w.owners() {
		for _, a := range w.agentsOf(s) {
			w.store(s, a.identity...)
		}
	}
}

// strikes lets keys end whose moment has come.
func (w *world) strikes(moment int) {
	for _, m := range w.fate.moments {
		if m == moment {
			w.endKey()
		}
	}
}

// endKey replaces the key of an owner, or takes back that of one of his agents, at his
// own store. The agent does not know of it, or does not care.
func (w *world) endKey() {
	owners := w.owners()
	s := owners[w.fate.dice.IntN(len(owners))]
	home := w.team[slices.Index(owners, s)*3].first + "/main"
	was := s.who.key
	at := func(h *memory.Header) { h.At = memory.At(w.now.Add(s.skew)) }
	var r *memory.Record
	var did string
	if agents := w.agentsOf(s); len(agents) > 0 && w.fate.dice.IntN(2) == 0 {
		did = agents[w.fate.dice.IntN(len(agents))].key.DID()
		reason := []string{memory.Superseded, memory.Lost, memory.Compromised}[w.fate.dice.IntN(3)]
		r = s.who.make(w, home, &memory.Key{Op: memory.OpRevoke, Key: did, Reason: reason}, at)
	} else {
		next := newKey(w, fmt.Sprint(was.DID(), " next"))
		did = was.DID()
		r = s.who.make(w, home, &memory.Key{Op: memory.OpRotate, Key: next.DID(), Previous: did}, at)
		sig, err := next.Sign(envelope.TypeOf(r), r.Bytes)
		if err != nil {
			w.Fatal(err)
		}
		r.Sigs = append(r.Sigs, memory.Signature{Key: next.DID(), Sig: sig})
		s.who.key = next
	}
	seen := make(map[memory.ID]bool)
	items, err := s.Get(context.Background(), IDs(w.written)...)
	if err != nil {
		w.Fatal(err)
	}
	for i, it := range items {
		if it != nil {
			seen[w.written[i].ID] = true
		}
	}
	w.fate.endings = append(w.fate.endings, ending{did, r, seen})
	w.store(s, r)
}

// agentsOf returns those who act for the owner at a site.
func (w *world) agentsOf(s *sim) []*person {
	if s == w.sites[0] {
		return w.team[1:3]
	}
	return w.team[4:]
}

// ended returns the first ending of the key of a record, nil where it has none.
func (w *world) ended(r *memory.Record) *ending {
	for i := range w.fate.endings {
		if e := &w.fate.endings[i]; e.key == r.Header.Author {
			return e
		}
	}
	return nil
}

// limit reports whether stores may see a record differently: its key had ended, and
// whoever ended it had not seen it. Where such a record came first, it stands.
func (w *world) limit(r *memory.Record) bool {
	e := w.ended(r)
	return e != nil && e.by.ID != r.ID && !e.seen[r.ID]
}

// checkKeys compares how each store judges keys and signatures with how a reader does that
// received everything in order.
func (w *world) checkKeys(s *sim, want *state.Keyring) error {
	got, err := s.Keyring(context.Background())
	if err != nil {
		return err
	}
	for _, p := range w.team {
		if got, want := got.Current(p.first), want.Current(p.first); got != want {
			return fmt.Errorf("%s: %s speaks for %s, not %s", s.name, got, p.first, want)
		}
	}
	items, err := s.Get(context.Background(), IDs(w.written)...)
	if err != nil {
		return err
	}
	for i, r := range w.written {
		if items[i] == nil {
			continue
		}
		fault := got.Fault(r)
		switch e := w.ended(r); {
		case e == nil && fault != state.Sound:
			return fmt.Errorf("%s: %s has fault %q, and its key never ended", s.name, r.Ref().Short(), fault)
		case e != nil && e.seen[r.ID] && fault != state.Sound:
			return fmt.Errorf("%s: %s has fault %q, and who ended its key had seen it", s.name, r.Ref().Short(), fault)
		}
	}
	for _, e := range w.fate.endings {
		for _, of := range []*state.Keyring{got, want} {
			if v := of.Revoked(e.key, of.Principal(e.by.Header.Author)); e.by.Body.(*memory.Key).Op == memory.OpRevoke &&
				v == nil {
				return fmt.Errorf("%s: the revocation of %s does not count", s.name, e.key)
			}
		}
	}
	return nil
}
