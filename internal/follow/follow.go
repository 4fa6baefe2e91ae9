// Package follow keeps a store alike with its remotes while a server runs: a while
// after something was written, and now and then.
package follow

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// How long after the last of several writes an exchange begins, how long after the first at
// the latest (or after the interval, if that is shorter), and how rarely one is tried with a
// remote that is away.
const (
	Quiet   = 2 * time.Second
	Latest  = 30 * time.Second
	Longest = 15 * time.Minute
)

// Syncer is what is asked to exchange records: an engine.
type Syncer interface {
	Remotes(context.Context, api.RemoteRequest) (api.RemoteReply, error)
	AutoSync(context.Context, engine.AutoSync) (engine.AutoSynced, error)
}

// Options say how a store follows its remotes.
type Options struct {
	Store  Syncer
	Every  time.Duration                    // about how long between two exchanges
	Pulled func()                           // is called when something came; nil is nobody
	Say    func(format string, args ...any) // a log for people, without words of memories
	Dice   func() float64                   // from 0 to 1; nil is chance
}

// A Follower syncs, one remote after the other. A nil one does nothing.
type Follower struct {
	o     Options
	woken chan struct{}
	turns map[string]*turn
	look  time.Time // when remotes are looked for anew: a person may have named one
}

// turn is when it is one remote's turn.
type turn struct {
	next     time.Time
	latest   time.Time // writes that go on and on do not put it off further
	failures int
	said     string // the last problem, which is said once
	wrote    bool   // something was written here that was not given yet
}

// New makes a follower.
func New(o Options) *Follower {
	if o.Dice == nil {
		o.Dice = chance
	}
	if o.Pulled == nil {
		o.Pulled = func() {}
	}
	return &Follower{o: o, woken: make(chan struct{}, 1), turns: make(map[string]*turn)}
}

func chance() float64 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	const whole = 1 << 32
	return float64(binary.BigEndian.Uint32(b[:])) / whole
}

// Wake says that something was written, or that somebody wants to know what is new.
// It never waits.
func (f *Follower) Wake() {
	if f == nil {
		return
	}
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

// Run follows until ctx ends, and ends what is under way: it goes on from there the
// next time.
func (f *Follower) Run(ctx context.Context) {
	if f == nil {
		return
	}
	var first time.Time // of the writes that were not followed yet
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-f.woken:
			now := time.Now()
			if first.IsZero() {
				first = now
			}
			f.wrote(min(Quiet, first.Add(min(Latest, f.o.Every)).Sub(now)))
		case <-timer.C:
			if f.due(ctx) {
				first = time.Time{}
			}
		}
		timer.Reset(f.wait())
	}
}

// wrote lets every remote's turn come soon, but for those that are away: what was
// written waits for their next try.
func (f *Follower) wrote(soon time.Duration) {
	for _, t := range f.turns {
		if t.wrote = true; t.failures == 0 {
			t.next = time.Now().Add(max(0, min(soon, time.Until(t.latest))))
		}
	}
}

// wait returns how long until it is somebody's turn.
func (f *Follower) wait() time.Duration {
	wait := time.Until(f.look)
	for _, t := range f.turns {
		wait = min(wait, time.Until(t.next))
	}
	return max(0, wait)
}

// due exchanges records with those whose turn it is, and reports whether there was one.
func (f *Follower) due(ctx context.Context) (any bool) {
	all, err := f.o.Store.Remotes(ctx, api.RemoteRequest{})
	f.look = time.Now().Add(f.o.Every)
	if err != nil { // whoever uses the store is told; here it is tried again
		for _, t := range f.turns {
			t.next, t.latest = f.look, f.look
		}
		return false
	}
	there := make(map[string]bool)
	for _, r := range all.Remotes {
		there[r.Name] = true
		t := f.turns[r.Name]
		if t == nil {
			t = &turn{}
			f.turns[r.Name] = t
		}
		if t.next.After(time.Now()) {
			continue
		}
		any = true
		pause := f.sync(ctx, r.Name, t)
		if ctx.Err() != nil {
			return any
		}
		t.next = time.Now().Add(pause)
		t.latest = t.next
	}
	for name := range f.turns {
		if !there[name] {
			delete(f.turns, name)
		}
	}
	return any
}

// sync exchanges records with one remote, and returns how long to wait for the next time.
// What another process did a moment ago is enough, unless something was written here.
func (f *Follower) sync(ctx context.Context, name string, t *turn) time.Duration {
	began, quiet := time.Now(), f.o.Every/2
	if t.wrote {
		quiet = 0
	}
	got, err := f.o.Store.AutoSync(ctx, engine.AutoSync{Remote: name, Quiet: quiet, Pause: f.pause})
	if ctx.Err() != nil {
		return 0
	}
	problem := got.Problem
	if err != nil {
		problem = err.Error()
	}
	switch {
	case problem != "":
		if t.failures = max(t.failures+1, got.Failures); got.Pushed+got.Pulled > 0 {
			t.failures = 1 // it is not away: part of the exchange went through
		}
		if problem != t.said {
			f.o.Say("sync %s: %s", name, line(problem))
		}
	case got.Skipped:
		return f.spread(f.o.Every / 2)
	default:
		if t.failures, t.wrote = 0, false; t.said != "" {
			f.o.Say("sync %s: it goes through again", name)
		}
	}
	t.said = problem
	if got.Pushed+got.Pulled > 0 {
		f.o.Say("sync %s: %d given, %d taken", name, got.Pushed, got.Pulled)
	}
	if got.Pulled > 0 {
		f.o.Pulled()
	}
	const breath = 4 // one that takes longer than the interval still leaves the remote alone for a part of it
	return max(f.o.Every/breath, f.spread(f.pause(t.failures))-time.Since(began))
}

// pause returns how long to leave a remote alone that failed so many times in a row.
func (f *Follower) pause(failures int) time.Duration {
	wait := f.o.Every
	for range min(failures-1, 16) {
		wait *= 2
	}
	return min(wait, max(Longest, f.o.Every))
}

// spread keeps many stores of one hub from coming at once: it gives from three quarters
// of a time to all of it.
func (f *Follower) spread(d time.Duration) time.Duration {
	return d*3/4 + time.Duration(f.o.Dice()*float64(d)/4)
}

// line makes what was wrong fit for a log.
func line(s string) string {
	const most = 300
	return shorten.To(strings.Join(strings.Fields(plain.Text(s)), " "), most)
}
