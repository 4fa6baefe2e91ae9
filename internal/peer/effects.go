package peer

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// errStopped says that no one does what the exchange asks any more.
var errStopped = errors.New("the exchange was stopped")

// An Effect is one step of an Exchange to be carried out: a pointer to a Call. The caller sets
// its Out and Err before asking for the next one.
type Effect interface{ effect() }

// A Call is an effect with its outcome.
type Call[In, Out any] struct {
	In  In
	Out Out
	Err error
}

func (*Call[In, Out]) effect() {}

// What an Exchange asks of the peer.
type (
	CallHello  = Call[Hello, Welcome]
	CallOffer  = Call[Offer, Wanted]
	CallPush   = Call[Push, Acks]
	CallLog    = Call[LogRequest, LogPage]
	CallFetch  = Call[Fetch, Lines]
	CallKeys   = Call[KeysRequest, KeyList]
	CallCosign = Call[CosignRequest, Cosigned]
	CallProve  = Call[ProveRequest, Proof]
)

// What it asks of its own store.
type (
	CallSpaces   = Call[NoSpaces, []store.Space]
	CallRecall   = Call[Recall, []byte]
	CallRemember = Call[Remember, Done]
	CallSince    = Call[Since, []store.Kept]
	CallItems    = Call[Items, []*store.Item]
	CallUnheld   = Call[Unheld, []memory.ID]
	CallKeyBook  = Call[HeldKeys, []*memory.Record]
	CallWrote    = Call[Wrote, []string]
	CallRing     = Call[HeldRing, *state.Keyring]
	CallAppend   = Call[Append, Appended]
	CallShow     = Call[Show, CosignRequest]
	CallHold     = Call[Hold, Done]
	CallWait     = Call[Wait, Done]
)

// Requests of the own store.
type (
	// NoSpaces asks for the logs there are.
	NoSpaces struct{}
	// Recall asks for what was remembered under a name.
	Recall struct{ Name string }
	// Remember stores a note under a name if the present one is Old.
	Remember struct {
		Name     string
		Old, Now []byte
	}
	// Since asks for the log of a space after a position.
	Since struct {
		Space string
		After store.Seq
		Limit int
	}
	// Items asks for records, Unheld for those that are not held, purged ones being
	// held.
	Items struct{ IDs []memory.ID }
	// Unheld asks which ids are not held.
	Unheld struct{ IDs []memory.ID }
	// HeldKeys asks for all key records except introductions, which are private.
	HeldKeys struct{}
	// Wrote asks which of some keys wrote in a space what a filter may choose.
	Wrote struct {
		Space  string
		DIDs   []string
		Filter Filter
	}
	// HeldRing asks for the keyring that follows from the key records held.
	HeldRing struct{}
	// Append stores records, all or none.
	Append struct {
		Space   string // whose log is measured
		Records []*memory.Record
	}
	// Show asks for the signed checkpoint of the store's own log, and that it grew from
	// what was seen of it last.
	Show struct {
		Space    string
		Seen     int64
		SeenRoot string
		Restart  bool
	}
	// Hold keeps a cosigned checkpoint of the store's own log.
	Hold struct{ Space, Note, By string }
	// Wait asks to wait before the next attempt at a request, which failed Attempt times.
	Wait struct{ Attempt int }
	// Done is the outcome of what has none.
	Done struct{}
)

// Appended says how the log of a space grew. Where Before and After differ by more
// than was stored in it, somebody else wrote too.
type Appended struct {
	Added         int
	Before, After store.Seq
}

// Ask does an effect that is for the peer, and reports whether it was one.
func Ask(ctx context.Context, r Remote, e Effect) bool {
	switch c := e.(type) {
	case *CallHello:
		c.Out, c.Err = r.Hello(ctx, c.In)
	case *CallOffer:
		c.Out, c.Err = r.Offer(ctx, c.In)
	case *CallPush:
		c.Out, c.Err = r.Push(ctx, c.In)
	case *CallLog:
		c.Out, c.Err = r.Log(ctx, c.In)
	case *CallFetch:
		c.Out, c.Err = r.Fetch(ctx, c.In)
	case *CallKeys:
		c.Out, c.Err = r.Keys(ctx, c.In)
	case *CallCosign:
		c.Out, c.Err = r.Cosign(ctx, c.In)
	case *CallProve:
		c.Out, c.Err = r.Prove(ctx, c.In)
	default:
		return false
	}
	return true
}

// A Doer does the effects that are not for the peer.
type Doer interface {
	Do(ctx context.Context, e Effect)
}

// A Begin announces a request that will be needed soon: the caller may start it early. It has
// no outcome, and may be ignored.
type Begin struct{ Of Effect }

func (*Begin) effect() {}

// Concurrent is a Remote that may be asked several things at once. Of any other one thing
// is asked at a time.
type Concurrent interface{ Concurrent() }

// begun is what the peer was asked for, and whose outcome no one waits for yet.
type begun struct {
	of   Effect
	done chan struct{}
}

func launch(ctx context.Context, r Remote, e Effect) *begun {
	b := &begun{e, make(chan struct{})}
	go func() {
		defer close(b.done)
		Ask(ctx, r, e)
		if c, log := e.(*CallLog); log {
			c.Out.readings() // while something is stored here, what comes next is verified
		}
	}()
	return b
}

func wait(under []*begun) {
	for _, b := range under {
		<-b.done
	}
}

// concurrent reports whether a peer may be asked for an effect while others are under way.
func concurrent(r Remote, e Effect, under []*begun) bool {
	if _, ok := r.(Concurrent); !ok {
		return len(under) == 0
	}
	for _, b := range under {
		if _, push := b.of.(*CallPush); !push {
			return false
		}
	}
	switch e.(type) {
	case *CallOffer, *CallPush:
		return true
	}
	return len(under) == 0
}

// forPeer reports whether an effect is for the peer.
func forPeer(e Effect) bool {
	switch e.(type) {
	case *CallHello, *CallOffer, *CallPush, *CallLog, *CallFetch, *CallKeys, *CallCosign, *CallProve:
		return true
	}
	return false
}

// asker passes effects to the loop that ranges over them.
type asker struct {
	yield func(Effect) bool
	over  bool
	tries int
}

// ask has one effect done.
func ask[In, Out any](a *asker, in In) (Out, error) {
	var c Call[In, Out]
	if a.over {
		return c.Out, errStopped
	}
	c.In = in
	if !a.yield(&c) {
		a.over = true
		return c.Out, errStopped
	}
	return c.Out, c.Err
}

// request asks the peer, and asks again where it could not be reached.
func request[In, Out any](a *asker, in In) (Out, error) {
	for attempt := 1; ; attempt++ {
		out, err := ask[In, Out](a, in)
		if err == nil || a.over || Lasting(err) {
			return out, err
		}
		if attempt >= a.tries {
			return out, Away(err)
		}
		if _, waited := ask[Wait, Done](a, Wait{attempt}); waited != nil {
			return out, Away(err)
		}
	}
}

// begin lets a request be begun that is finished later.
func begin[In, Out any](a *asker, in In) *Call[In, Out] {
	c := &Call[In, Out]{In: in}
	if !a.over && !a.yield(&Begin{c}) {
		a.over = true
	}
	return c
}

// finish waits for a request that was begun, and asks again where the peer could not
// be reached.
func finish[In, Out any](a *asker, c *Call[In, Out]) (Out, error) {
	if a.over || !a.yield(c) {
		a.over = true
		return c.Out, errStopped
	}
	if c.Err == nil || Lasting(c.Err) {
		return c.Out, c.Err
	}
	return request[In, Out](a, c.In)
}
