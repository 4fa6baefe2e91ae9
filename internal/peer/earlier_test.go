package peer

import (
	"context"
	"fmt"
	"testing"
)

// earlier is a peer of a version that does not say how many records it takes at once, and takes 1,000.
type earlier struct {
	Remote
	pushed, fetched int // the most at once
}

func (e *earlier) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w, err := e.Remote.Hello(ctx, in)
	w.Lines = 0
	return w, err
}

func (e *earlier) Push(ctx context.Context, in Push) (Acks, error) {
	if e.pushed = max(e.pushed, len(in.Lines)); len(in.Lines) > 1000 {
		return Acks{}, fmt.Errorf("%w: %d records at once", ErrRequest, len(in.Lines))
	}
	return e.Remote.Push(ctx, in)
}

func (e *earlier) Fetch(ctx context.Context, in Fetch) (Lines, error) {
	if e.fetched = max(e.fetched, len(in.IDs)); len(in.IDs) > 1000 {
		return Lines{}, fmt.Errorf("%w: %d records at once", ErrRequest, len(in.IDs))
	}
	return e.Remote.Fetch(ctx, in)
}

func (e *earlier) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	in.Lines = false // so that all is fetched
	return e.Remote.Log(ctx, in)
}

// A peer of an earlier version gets no more records at once than it takes, and all of them.
func TestAnEarlierPeerGetsNoMoreAtOnceThanItTakes(t *testing.T) {
	t.Parallel()
	const n = 1100
	from, team, _ := beliefsAt(t, n)
	hub, to := newSite(t, "another"), newSite(t, "to")
	remote := &earlier{Remote: forAll(hub)}
	if r, _ := effects(t, from, remote, Options{Push: true}); r.Spaces[0].Pushed != n {
		t.Errorf("%d records pushed, want %d", r.Spaces[0].Pushed, n)
	}
	if _, m := effects(t, to, remote, Options{Pull: true}); len(m) == 0 {
		t.Error("nothing was asked")
	}
	tree, err := to.Tree(t.Context(), team)
	if err != nil || tree.Size() != n {
		t.Errorf("%d records pulled, %v, want %d", tree.Size(), err, n)
	}
	if remote.pushed != 1000 || remote.fetched != 1000 {
		t.Errorf("%d pushed and %d fetched at once, want 1,000", remote.pushed, remote.fetched)
	}
}
