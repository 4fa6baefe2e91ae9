//go:build !race

package peer

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLies lets a hub lie 300 times and more. Every lie must be noticed, every record
// that was here must be here still, and none may be here that does not verify. Once
// the hub is honest again and the person accepts, all is exchanged.
func TestLies(t *testing.T) {
	const each = 12
	told := 0
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(each) {
				told++
				c := newCon(t, seed)
				lie(c)
				noticed := c.tell()
				if len(noticed) == 0 {
					t.Fatalf("seed %d: nobody noticed", seed)
				}
				c.unharmed()
				c.remote = &liar{Remote: c.hub.hub().For(Caller{Account: "all", Any: true})}
				if _, err := c.a.sync(t, c.remote, func(o *Options) { o.Accept = true }); err != nil {
					t.Fatalf("seed %d: afterwards: %v", seed, err)
				}
				for _, id := range c.hub.ids(t, c.space) {
					if name == "forge: in the voice of an agent nobody sent" {
						continue
					}
					if items, err := c.a.Get(t.Context(), id); err != nil || items[0] == nil {
						t.Fatalf("seed %d: %s did not come afterwards: %v", seed, id.Short(), err)
					}
				}
			}
		})
	}
	if told < 300 {
		t.Errorf("%d lies were told, want 300", told)
	}
}

// TestSimulation runs seeds through lives full of accidents. One that fails is kept.
func TestSimulation(t *testing.T) {
	var next, slow atomic.Uint64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for seed := next.Add(1); seed <= seeds() && !t.Failed(); seed = next.Add(1) {
				rounds, err := live(t, seed, nil)
				if err != nil {
					t.Errorf("seed %d, after %d rounds: %v", seed, rounds, err)
					keep(t, seed, err)
				}
				if rounds > 2 {
					slow.Add(1)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d seeds, %d of them needed a third round", seeds(), slow.Load())
}

// TestSimulationNoticesMistakes runs seeds with mistakes made on purpose: a test that
// cannot fail is worth nothing.
func TestSimulationNoticesMistakes(t *testing.T) {
	for _, b := range mistakes() {
		t.Run(b.name, func(t *testing.T) {
			for seed := uint64(1); seed <= 200; seed++ {
				if rounds, err := live(t, seed, b); err != nil {
					t.Logf("seed %d, after %d rounds: %v", seed, rounds, err)
					return
				}
			}
			t.Error("200 seeds went by, and nothing was noticed")
		})
	}
}
