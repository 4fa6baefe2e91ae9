package peer

import (
	"context"
	"fmt"
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
	offers      int
	pushed      map[memory.ID]int
	meet        chan struct{} // the first push and the offer after it wait for each other; nil is not at all
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
		select {
		case w.meet <- struct{}{}:
		case <-time.After(10 * time.Second):
			return Wanted{}, fmt.Errorf("%w: no push is under way", ErrDenied)
		}
	}
	return w.Remote.Offer(ctx, in)
}

func (w *watched) Push(ctx context.Context, in Push) (Acks, error) {
	defer w.count()()
	if w.meet != nil && len(w.pushed) == 0 {
		select {
		case <-w.meet:
		case <-time.After(10 * time.Second):
			return Acks{}, fmt.Errorf("%w: no offer came", ErrDenied)
		}
	}
	for _, v := range envelope.ReadAll(in.Lines) {
		w.pushed[v.Record.ID]++
	}
	return w.Remote.Push(ctx, in)
}

type abreast struct{ *watched }

func (abreast) Abreast() {}

// A remote that lets itself be asked several things at once is offered records while it
// stores those before; any other is asked one thing at a time. Nothing goes twice, not
// even the key records that the records of both pages need.
func TestOffersBesideAPush(t *testing.T) {
	ann := newPerson(t, "ann")
	agent := ann.agent(t, "ann's agent")
	team := ann.key.DID() + "/team"
	for _, several := range []bool{true, false} {
		hub, from := newSite(t, "hub"), newSite(t, "from")
		from.add(t, agent.born...)
		for i := range 7 {
			from.add(t, agent.belief(t, team, fmt.Sprint("belief ", i)))
		}
		w := &watched{Remote: hub.hub().For(Caller{Account: "all", Any: true}), pushed: make(map[memory.ID]int)}
		var r Remote = w
		want := int64(1)
		if several {
			w.meet, r, want = make(chan struct{}), abreast{w}, 2
		}
		report := from.mustSync(t, r, func(o *Options) { o.Page = 2 })
		if got := w.most.Load(); got != want {
			t.Errorf("several at once %v: %d requests were under way at once, want %d", several, got, want)
		}
		for id, n := range w.pushed {
			if n != 1 {
				t.Errorf("several at once %v: %s was pushed %d times", several, id.Short(), n)
			}
		}
		if got := report.Spaces[0]; got.Pushed != 7 || len(w.pushed) != 9 {
			t.Errorf("several at once %v: %d pushed of the space and %d in all, want 7 and 9", several, got.Pushed, len(w.pushed))
		}
	}
}
