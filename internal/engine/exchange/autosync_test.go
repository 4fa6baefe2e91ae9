package exchange_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
)

// alike returns somebody with a remote folder, on a clock that the test sets. While says
// what happens whenever the remote is opened.
func alike(t *testing.T, now *atomic.Int64, while func() error) *people {
	t.Helper()
	shared := t.TempDir()
	p := newPeople(t, func(c *engine.Config) {
		c.Now = func() time.Time { return time.UnixMilli(now.Load()) }
		c.Remotes = filepath.Join(t.TempDir(), "remotes.json")
		c.Dial = func(ctx context.Context, _ string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			if err := while(); err != nil {
				return nil, nil, err
			}
			ends, err := carrier.Folder(ctx, shared, self)
			return ends, nil, err
		}
	})
	add(t, p.Owner, "belief", "herons nest in March")
	if _, err := p.Owner.RemoteAdd(t.Context(), api.RemoteRequest{
		Name: "folder", Address: shared, Whose: "mine", Raw: new(bool),
	}); err != nil {
		t.Fatal(err)
	}
	return p
}

func remoteState(t *testing.T, e *engine.Engine) *api.SyncState {
	t.Helper()
	all, err := e.Remotes(t.Context(), api.RemoteRequest{})
	if err != nil || len(all.Remotes) != 1 {
		t.Fatalf("remotes: %+v, %v", all, err)
	}
	return all.Remotes[0].Sync
}

// How exchanges went is remembered, whoever began them, and shown.
func TestSyncIsRemembered(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC).UnixMilli())
	var away error
	p := alike(t, &now, func() error { return away })
	ctx := t.Context()
	if s := remoteState(t, p.Owner); s != nil {
		t.Errorf("before any exchange: %+v", s)
	}
	if _, err := p.Owner.Sync(ctx, api.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	first := remoteState(t, p.Owner)
	if first == nil || first.Last != "2026-05-01T10:00:00.000Z" || first.Problem != "" {
		t.Fatalf("after an exchange: %+v", first)
	}
	away = errors.New("no such stick")
	for range 2 {
		now.Add(time.Hour.Milliseconds())
		if _, err := p.Agent.Sync(ctx, api.SyncRequest{}); err == nil {
			t.Fatal("a remote that is away was synced with")
		}
	}
	s := remoteState(t, p.Owner)
	if s.Last != first.Last || s.Failures != 2 || !strings.Contains(s.Problem, "no such stick") ||
		s.Tried != "2026-05-01T12:00:00.000Z" {
		t.Errorf("after two that failed: %+v", s)
	}
	status, err := p.Owner.Status(ctx, api.Nothing{})
	if err != nil || len(status.Remotes) != 1 || status.Remotes[0].Sync.Failures != 2 {
		t.Errorf("status: %+v, %v", status.Remotes, err)
	}
	doctor, err := p.Owner.Doctor(ctx, api.DoctorRequest{})
	if err != nil || len(doctor.Problems) > 0 ||
		!strings.Contains(strings.Join(doctor.Notes, "\n"), "failed 2 times since: remote folder: no such stick") {
		t.Errorf("doctor: %+v, %v", doctor, err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	_, _ = p.Owner.Sync(stopped, api.SyncRequest{}) // it says nothing about the remote
	if s := remoteState(t, p.Owner); s.Failures != 2 {
		t.Errorf("after one that was stopped: %+v", s)
	}
	away = nil
	if _, err := p.Owner.RemoteRemove(ctx, api.RemoteRequest{Name: "folder"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.RemoteAdd(ctx, api.RemoteRequest{
		Name: "folder", Address: t.TempDir(), Whose: "mine", Raw: new(bool),
	}); err != nil {
		t.Fatal(err)
	}
	if s := remoteState(t, p.Owner); s != nil {
		t.Errorf("another remote of the same name: %+v", s)
	}
}

// Of two servers of one store one exchanges, and the other leaves it be.
func TestAutoSyncIsOnesOwn(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC).UnixMilli())
	var p *people
	var second engine.AutoSynced
	opened := 0
	auto := func(quiet time.Duration) engine.AutoSynced {
		t.Helper()
		got, err := p.Agent.AutoSync(t.Context(), engine.AutoSync{Remote: "folder", Quiet: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	while := func() error {
		if opened++; opened == 1 {
			second = auto(0)
		}
		return nil
	}
	p = alike(t, &now, func() error { return while() })
	if got := auto(0); got.Skipped || got.Pushed == 0 || !second.Skipped || second.Pushed > 0 {
		t.Errorf("the first: %+v; one meanwhile: %+v", got, second)
	}
	now.Add(10_000)
	if got := auto(30 * time.Second); !got.Skipped {
		t.Errorf("ten seconds after the first: %+v", got)
	}
	if got := auto(time.Second); got.Skipped {
		t.Errorf("where a second is enough: %+v", got)
	}
	// One that fell over keeps others away for a while, not for ever; a clock that
	// was put back does not either.
	while = func() error { panic("falls over") }
	func() {
		defer func() { _ = recover() }()
		auto(0)
	}()
	while = func() error { return nil }
	now.Add(60_000)
	if got := auto(0); !got.Skipped {
		t.Errorf("a minute after one that fell over: %+v", got)
	}
	now.Add(300_000)
	if got := auto(0); got.Skipped {
		t.Errorf("six minutes after one that fell over: %+v", got)
	}
	while = func() error { panic("falls over") }
	func() {
		defer func() { _ = recover() }()
		auto(0)
	}()
	while = func() error { return errors.New("away") }
	now.Add(-3_600_000)
	if got := auto(0); got.Skipped || got.Failures != 1 || !strings.Contains(got.Problem, "away") {
		t.Errorf("after the clock was put back: %+v", got)
	}
}

// between is a peer before whose acknowledgement something else happens.
type between struct {
	peer.Remote
	what func()
}

func (b *between) Push(ctx context.Context, in peer.Push) (peer.Acks, error) {
	out, err := b.Remote.Push(ctx, in)
	b.what()
	return out, err
}

// An exchange in whose middle another one went on steps back: that is said to whoever
// waits for it, and held against no one.
func TestStepsBackBeforeAnother(t *testing.T) {
	t.Parallel()
	shared := t.TempDir()
	var p *people
	deep := 0
	p = newPeople(t, func(c *engine.Config) {
		c.Remotes = filepath.Join(t.TempDir(), "remotes.json")
		c.Dial = func(ctx context.Context, _ string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			ends, err := carrier.Folder(ctx, shared, self)
			for i := range ends {
				ends[i].Remote = &between{Remote: ends[i].Remote, what: func() {
					if deep++; deep == 1 {
						if r, err := p.Agent.Sync(ctx, api.SyncRequest{}); err != nil || r.Busy || r.Failed > 0 {
							t.Errorf("the one that is faster: %+v, %v", r, err)
						}
					}
				}}
			}
			return ends, nil, err
		}
	})
	add(t, p.Owner, "belief", "herons nest in March")
	if _, err := p.Owner.RemoteAdd(t.Context(), api.RemoteRequest{
		Name: "folder", Address: shared, Whose: "mine", Raw: new(bool),
	}); err != nil {
		t.Fatal(err)
	}
	r, err := p.Owner.AutoSync(t.Context(), engine.AutoSync{Remote: "folder"})
	if err != nil || !r.Busy || !r.Skipped || r.Problem != "" || r.Failures > 0 {
		t.Errorf("the one that steps back: %+v, %v", r, err)
	}
	if s := remoteState(t, p.Owner); s == nil || s.Failures > 0 || s.Last == "" {
		t.Errorf("what is remembered: %+v", s)
	}
}

// How far a store and a remote are behind is counted: what was not given, what was not taken, and since when.
func TestLagIsCounted(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC).UnixMilli())
	var away error
	p := alike(t, &now, func() error { return away })
	ctx := t.Context()
	lag := func() api.SyncLag {
		t.Helper()
		all, err := p.Owner.Remotes(ctx, api.RemoteRequest{})
		if err != nil || len(all.Remotes) != 1 || all.Remotes[0].Lag == nil {
			t.Fatalf("remotes: %+v, %v", all, err)
		}
		return *all.Remotes[0].Lag
	}
	before := lag()
	if before.Seconds != nil || before.Unpushed == 0 || before.About {
		t.Errorf("never exchanged, and a belief is there: %+v", before)
	}
	pause := func(failures int) time.Duration { return time.Duration(failures) * time.Minute }
	sync := func() engine.AutoSynced {
		t.Helper()
		got, err := p.Owner.AutoSync(ctx, engine.AutoSync{Remote: "folder", Pause: pause})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := sync(); int64(got.Pushed) != before.Unpushed {
		t.Errorf("%d to push, and %d were pushed", before.Unpushed, got.Pushed)
	}
	now.Add(90_000)
	if got := lag(); got.Unpushed+got.Unpulled != 0 || got.Seconds == nil || *got.Seconds != 90 || got.Failure != "" {
		t.Errorf("all was exchanged 90 seconds ago: %+v", got)
	}
	add(t, p.Owner, "belief", "storks nest in April")
	if _, err := p.Owner.Capture(ctx, api.CaptureRequest{Text: "a capture stays here"}); err != nil {
		t.Fatal(err)
	}
	if got := lag(); got.Unpushed != 1 {
		t.Errorf("one belief is to be pushed, and no capture: %+v", got)
	}
	away = errors.New("the cable is out")
	if got := sync(); got.Problem == "" {
		t.Errorf("the remote is away: %+v", got)
	}
	failed := lag()
	if failed.Unpushed != 1 || !strings.Contains(failed.Failure, "cable") || failed.Failed == "" ||
		failed.Next != "2026-05-01T10:02:30.000Z" {
		t.Errorf("it failed and is tried again after a minute: %+v", failed)
	}
	away = nil
	now.Add(61_000)
	sync()
	if got := lag(); got.Unpushed != 0 || *got.Seconds != 0 || got.Failed != failed.Failed {
		t.Errorf("all went through: %+v", got)
	}
}
