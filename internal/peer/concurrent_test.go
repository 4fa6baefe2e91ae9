package peer

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/memory"
)

// watched counts what is asked of a remote at once, and which records were pushed how often.
type watched struct {
	Remote
	under, most atomic.Int64
	pushing     atomic.Int64
	offers      int
	pushed      map[memory.ID]int
	meet        chan struct{} // the first push and the offer after it wait for each other; nil is not at all
	pair        chan struct{} // so do the second push and the third
	mu          sync.Mutex
	pushes      int
	keyed       int64 // the most requests under way beside a push with key records, and it
}

func (w *watched) count() func() {
	if n := w.under.Add(1); n > w.most.Load() {
		w.most.Store(n)
	}
	return func() { w.under.Add(-1) }
}

func (w *watched) Offer(ctx context.Context, in Offer) (Wanted, error) {
	defer w.count()()
	const before = 2 // of the first page, and of the keys that it needs
	if w.offers++; w.meet != nil && w.offers == before+1 {
		if err := meet(w.meet, "push"); err != nil {
			return Wanted{}, err
		}
	}
	return w.Remote.Offer(ctx, in)
}

func (w *watched) Push(ctx context.Context, in Push) (Acks, error) {
	defer w.count()()
	w.mu.Lock()
	w.pushes++
	n, begun := w.pushes, w.pushing.Add(1)
	w.mu.Unlock()
	defer w.pushing.Add(-1)
	if w.meet != nil && n == 1 {
		if err := meet(w.meet, "offer"); err != nil {
			return Acks{}, err
		}
	}
	if w.meet != nil && (n == 2 || n == 3) {
		if err := meet(w.pair, "other push"); err != nil {
			return Acks{}, err
		}
	}
	lines := envelope.ReadAll(in.Lines)
	w.mu.Lock()
	for _, v := range lines {
		w.pushed[v.Record.ID]++
		if v.Record.Header.Kind == memory.KindKey {
			w.keyed = max(w.keyed, begun, w.pushing.Load())
		}
	}
	w.mu.Unlock()
	return w.Remote.Push(ctx, in)
}

// meet waits until somebody else waits at the same place.
func meet(at chan struct{}, whom string) error {
	select {
	case at <- struct{}{}:
	case <-at:
	case <-time.After(10 * time.Second):
		return fmt.Errorf("%w: no %s came", ErrDenied, whom)
	}
	return nil
}

type concurrentPeer struct{ *watched }

func (concurrentPeer) Concurrent() {}

// A remote that lets itself be asked several things at once is offered records while it
// stores those before, and given the next to verify, unless there are key records among
// them; any other is asked one thing at a time. Nothing goes twice, not even the key records
// that the records of both pages need.
func TestAskedConcurrently(t *testing.T) {
	ann := newPerson(t, "ann")
	agent := ann.agent(t, "ann's agent")
	team := ann.key.DID() + "/team"
	for _, several := range []bool{true, false} {
		hub, from := newSite(t, "hub"), newSite(t, "from")
		from.add(t, agent.identity...)
		for i := range 9 {
			from.add(t, agent.belief(t, team, fmt.Sprint("belief ", i)))
		}
		w := &watched{Remote: hub.hub().For(Caller{Account: "all", Any: true}), pushed: make(map[memory.ID]int)}
		var r Remote = w
		least, most := int64(1), int64(1)
		if several {
			w.meet, w.pair, r, least, most = make(chan struct{}), make(chan struct{}), concurrentPeer{w}, 2, 3
		}
		report := from.mustSync(t, r, func(o *Options) { o.Page = 2 })
		if got := w.most.Load(); got < least || got > most {
			t.Errorf("several at once %v: %d requests were under way at once, want %d to %d", several, got, least, most)
		}
		if w.keyed != 1 {
			t.Errorf("several at once %v: %d pushes at once, with key records in one of them, want it alone", several, w.keyed)
		}
		for id, n := range w.pushed {
			if n != 1 {
				t.Errorf("several at once %v: %s was pushed %d times", several, id.Short(), n)
			}
		}
		if got := report.Spaces[0]; got.Pushed != 9 || len(w.pushed) != 11 {
			t.Errorf(
				"several at once %v: %d pushed of the space and %d in all, want 9 and 11", several, got.Pushed,
				len(w.pushed),
			)
		}
	}
}
