package peer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// purges lets the owner of the space, now and then, purge a belief that his store holds.
func (w *world) purges() {
	const seldom = 12
	if w.purging == nil || w.purging.IntN(seldom) != 0 {
		return
	}
	s := w.sites[0]
	seen := w.beliefs(s)
	if len(seen) == 0 {
		return
	}
	of := seen[w.purging.IntN(len(seen))]
	mark := purgeOf(w, s.who, w.space, of)
	w.store(s, mark)
	if _, err := s.Append(
		context.Background(), store.Batch{Records: []*memory.Record{mark}, Purge: []memory.ID{of.ID}},
	); err != nil {
		w.Fatal(err)
	}
	w.purged[of.ID] = true
}

// TestSimulatedPurges runs seeds in which records are purged: in the end no one has their
// words, no one lacks anything else, and no one is said to withhold something.
func TestSimulatedPurges(t *testing.T) {
	t.Parallel()
	purged := 0
	for seed := uint64(1); seed <= 100/fewer; seed++ {
		w := newWorld(t, seed, nil)
		w.fate.moments = nil
		w.purging, w.purged = rand.New(rand.NewPCG(seed, 17)), make(map[memory.ID]bool)
		w.run()
		purged += len(w.purged)
		if err := w.purgesHeal(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if purged == 0 {
		t.Error("nothing was purged")
	}
}

// purgesHeal lets everybody exchange everything, and looks at what came of it.
func (w *world) purgesHeal() error {
	for _, late := range w.late {
		late()
	}
	w.now = w.now.Add(20 * 365 * 24 * 3600e9) // all that was dated ahead has come due
	w.hub.now = w.now
	for _, s := range w.sites {
		w.crash(s)
		s.skew = 0
	}
	const rounds = 3
	for round := range rounds {
		for _, s := range w.sites {
			x := New(Options{Peer: "hub", Store: s.name, Push: true, Pull: true, Filter: s.filter})
			report, err := Run(context.Background(), x, s.local(), w.remote(s))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			for _, sp := range report.Spaces {
				if sp.Problem != "" || len(sp.Back) > 0 || len(sp.Refused)+len(sp.Gone) > 0 && round == rounds-1 {
					return fmt.Errorf("%s: %+v", s.name, sp)
				}
			}
		}
	}
	for _, s := range append([]*sim{{site: w.hub, filter: Filter{NoRaw: true}}}, w.sites...) {
		got, err := s.Get(context.Background(), IDs(w.written)...)
		if err != nil {
			return err
		}
		for i, r := range w.written {
			from := w.home[r.ID]
			switch travels := from.filter.Chooses(r) && s.filter.Chooses(r); {
			case w.purged[r.ID] && got[i] != nil && got[i].Record != nil:
				return fmt.Errorf("%s has the words of %s, which was purged", s.name, r.Ref().Short())
			case !w.purged[r.ID] && travels && (got[i] == nil || got[i].Record == nil):
				return fmt.Errorf("%s lacks %s of %s", s.name, r.Ref().Short(), from.name)
			}
		}
		if err := w.sound(s); err != nil {
			return err
		}
	}
	return nil
}
