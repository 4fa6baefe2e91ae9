package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An exchange that no one waits for is given up after a while, and goes on from there
// the next time. What a process that fell over had begun keeps others away no longer.
const (
	autoLimit = 4 * time.Minute
	autoLease = 5 * time.Minute
)

// syncNote is what a store remembers of the exchanges with a remote. It says who is at
// it, too, so that several servers of one store do not do the same at the same time.
type syncNote struct {
	Began    time.Time `json:"began,omitzero"` // by one that nobody waits for, and not ended
	Tried    time.Time `json:"tried,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	Failures int       `json:"failures,omitempty"`
	Problem  string    `json:"problem,omitempty"`

	Failed  time.Time `json:"failed,omitzero"` // when one failed last, and why
	Failure string    `json:"failure,omitempty"`
	Next    time.Time `json:"next,omitzero"` // when a server tries again, at the latest
	told

	raw []byte
}

func syncNoteName(remote string) string { return "sync/" + remote }

// syncNoteOf reads the saved state of an exchange. An unreadable one counts as none.
func (e *Exchange) syncNoteOf(ctx context.Context, remote string) (syncNote, error) {
	raw, err := e.First().Note(ctx, syncNoteName(remote))
	n := syncNote{}
	if err != nil || json.Unmarshal(raw, &n) != nil {
		n = syncNote{}
	}
	n.raw = raw
	return n, err
}

func (e *Exchange) keepSyncNote(ctx context.Context, remote string, n syncNote) error {
	now, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return e.First().SwapNote(ctx, syncNoteName(remote), n.raw, now)
}

// forgetSync deletes the saved state of the exchanges with a remote. The name may be given to
// another remote, which has received nothing yet.
func (e *Exchange) forgetSync(ctx context.Context, remote string) error {
	s, peers := e.First(), peer.PlacesOf+remote
	names, err := s.NoteNames(ctx, peers)
	if err != nil {
		return core.Classify(err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { // of one whose name begins so
		rest := strings.TrimPrefix(n, peers)
		return rest != "" && rest[0] != '/' && rest[0] != '.'
	})
	for _, name := range append(names, syncNoteName(remote), tookNoteName(remote)) {
		raw, err := s.Note(ctx, name)
		if err == nil && raw != nil {
			err = s.SwapNote(ctx, name, raw, nil)
		}
		if err != nil {
			return core.Classify(err)
		}
	}
	return nil
}

func (n *syncNote) state() *api.SyncState {
	if n.Tried.IsZero() {
		return nil
	}
	s := &api.SyncState{Tried: memory.At(n.Tried).String(), Failures: n.Failures, Problem: n.Problem}
	if !n.Last.IsZero() {
		s.Last = memory.At(n.Last).String()
	}
	return s
}

// lag returns since when there was no exchange, and what went wrong last.
func (n *syncNote) lag(now time.Time) *api.SyncLag {
	l := &api.SyncLag{Failure: n.Failure}
	if !n.Last.IsZero() {
		ago := max(0, int64(now.Sub(n.Last).Seconds()))
		l.Seconds = &ago
	}
	if !n.Failed.IsZero() {
		l.Failed = memory.At(n.Failed).String()
	}
	if !n.Next.IsZero() && !n.Next.Before(now) {
		l.Next = memory.At(n.Next).String()
	}
	return l
}

// within says that a time was a moment ago. One that is ahead is of a clock that was
// put back, and counts for nothing.
func within(then, now time.Time, d time.Duration) bool {
	return !then.IsZero() && !then.After(now) && now.Sub(then) < d
}

// AutoSync asks for an exchange that no one waits for.
type AutoSync struct {
	Remote string
	Quiet  time.Duration // one that ended so short a time ago is enough
	// Pause is how long the caller waits, at the most, after so many failures in a row. Nil is unknown.
	Pause func(failures int) time.Duration
}

// AutoSynced says what came of it.
type AutoSynced struct {
	api.SyncReply
	Skipped  bool   // another process does it, did so a moment ago, or was faster
	Failures int    // in a row
	Problem  string // of this one
}

// AutoSync exchanges records with a remote, unless another process is at it or has
// just been: then it does nothing, and that is no failure.
func (e *Exchange) AutoSync(ctx context.Context, in AutoSync) (AutoSynced, error) {
	var out AutoSynced
	if e.C.ReadOnly {
		return out, errReadOnlySync
	}
	if _, err := e.remote(ctx, in.Remote); err != nil {
		return out, err
	}
	n, err := e.syncNoteOf(ctx, in.Remote)
	if err != nil {
		return out, core.Classify(err)
	}
	now := e.C.Now()
	if within(n.Began, now, autoLease) || n.Failures == 0 && within(n.Tried, now, in.Quiet) {
		out.Skipped, out.Failures = true, n.Failures
		return out, nil
	}
	n.Began = now
	if err := e.keepSyncNote(ctx, in.Remote, n); err != nil {
		if out.Skipped = errors.Is(err, store.ErrConflict); out.Skipped {
			err = nil
		}
		return out, core.Classify(err)
	}
	limited, cancel := context.WithTimeout(ctx, autoLimit)
	defer cancel()
	out.SyncReply, err = e.sync(limited, api.SyncRequest{Remote: in.Remote}, false, in.Pause)
	if ctx.Err() != nil {
		return out, ctx.Err() // the caller cancelled
	}
	out.Skipped = out.Busy
	if n, readErr := e.syncNoteOf(ctx, in.Remote); readErr == nil {
		out.Failures, out.Problem = n.Failures, n.Problem
	}
	if out.Problem != "" {
		err = nil // it is said
	}
	return out, err
}

// noteSync saves how an exchange went. One that was stopped, or gave way to another, says
// nothing about the remote. Nothing depends on this note, so failing to write it is no error.
func (e *Exchange) noteSync(
	ctx context.Context, remote string, reply api.SyncReply, was told, failed error, pause func(int) time.Duration,
) {
	const tries, wait = 3, 2 * time.Second
	stopped := errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && reply.Pushed+reply.Pulled > 0
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer cancel()
	for range tries {
		n, err := e.syncNoteOf(ctx, remote)
		if err != nil {
			return
		}
		n.Began = time.Time{}
		n.hear(was)
		if now := e.C.Now(); !stopped && !reply.Busy {
			n.Tried, n.Problem = now, problemOf(reply, failed)
			if n.Problem == "" {
				n.Last, n.Failures = now, 0
			} else if failed == nil && onlyKept(reply) {
				n.Last, n.Failures, n.Failed, n.Failure = now, 0, now, n.Problem // all else went through
			} else if n.Failed, n.Failure = now, n.Problem; reply.Pushed+reply.Pulled > 0 {
				n.Failures = 1 // the remote is there: part of the exchange went through
			} else {
				n.Failures++
			}
			if pause != nil {
				n.Next = now.Add(pause(n.Failures))
			}
		}
		if err = e.keepSyncNote(ctx, remote, n); !errors.Is(err, store.ErrConflict) {
			return
		}
	}
}

// problemOf returns the first thing that was wrong with an exchange, "" where none was.
func problemOf(reply api.SyncReply, failed error) string {
	const most = 300
	if failed != nil {
		return shorten.To(core.OneLine(failed), most)
	}
	for _, p := range reply.Peers {
		if p.Problem != "" {
			return shorten.To(p.Problem, most)
		}
		for _, s := range p.Spaces {
			if s.Problem != "" {
				return shorten.To("space "+s.Space+": "+s.Problem, most)
			}
		}
	}
	return ""
}
