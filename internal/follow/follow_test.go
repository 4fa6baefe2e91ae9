package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// remotes answers as an engine would, and notes when it was asked.
type remotes struct {
	mu     sync.Mutex // of what is changed while it is asked: names and broken
	names  []string
	began  time.Time
	asked  []string // remote and second
	quiet  []time.Duration
	answer func(remote string) (engine.AutoSynced, error)
	hangs  bool
	broken error // of the list
	said   []string
	pulled int
}

func (r *remotes) Remotes(context.Context, api.RemoteRequest) (api.RemoteReply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out api.RemoteReply
	for _, n := range r.names {
		out.Remotes = append(out.Remotes, api.Remote{Name: n})
	}
	return out, r.broken
}

func (r *remotes) AutoSync(ctx context.Context, in engine.AutoSync) (engine.AutoSynced, error) {
	r.asked = append(r.asked, fmt.Sprintf("%s %v", in.Remote, time.Since(r.began)))
	r.quiet = append(r.quiet, in.Quiet)
	if r.hangs {
		<-ctx.Done()
		return engine.AutoSynced{}, ctx.Err()
	}
	if r.answer == nil {
		return engine.AutoSynced{}, nil
	}
	return r.answer(in.Remote)
}

func (r *remotes) become(names []string, broken error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names, r.broken = names, broken
}

// following runs a follower of r with an interval of a minute and dice that always show
// the most, so that pauses are what they are.
func following(t *testing.T, r *remotes, do func(f *Follower)) {
	t.Helper()
	followingEach(t, time.Minute, r, do)
}

func followingEach(t *testing.T, every time.Duration, r *remotes, do func(f *Follower)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r.began = time.Now()
		f := New(Options{
			Store: r, Every: every, Pulled: func() { r.pulled++ }, Dice: func() float64 { return 1 },
			Say: func(format string, args ...any) { r.said = append(r.said, fmt.Sprintf(format, args...)) },
		})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); f.Run(ctx) }()
		synctest.Wait()
		do(f)
		stop()
		<-done
	})
}

// pass lets time go by.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestOnAnInterval(t *testing.T) {
	r := &remotes{names: []string{"a", "b"}}
	following(t, r, func(*Follower) { pass(125 * time.Second) })
	want := []string{"a 0s", "b 0s", "a 1m0s", "b 1m0s", "a 2m0s", "b 2m0s"}
	if !slices.Equal(r.asked, want) {
		t.Errorf("exchanges at %q, want %q", r.asked, want)
	}
	if len(r.said) > 0 {
		t.Errorf("said %q where nothing happened", r.said)
	}
}

// What is written goes two seconds after the last of several writes, and half a minute
// after the first at the latest.
func TestAfterWrites(t *testing.T) {
	r := &remotes{names: []string{"a"}}
	following(t, r, func(f *Follower) {
		pass(10 * time.Second)
		for range 3 {
			f.Wake()
			pass(time.Second)
		}
		pass(10 * time.Second)
	})
	if want := []string{"a 0s", "a 14s"}; !slices.Equal(r.asked, want) {
		t.Errorf("exchanges at %q, want %q", r.asked, want)
	}
	if r.quiet[0] != 30*time.Second || r.quiet[1] != 0 {
		t.Errorf(
			"what another process did %v and %v before was enough, want 30s and, for what was written, 0s",
			r.quiet[0], r.quiet[1],
		)
	}
	r = &remotes{names: []string{"a"}}
	following(t, r, func(f *Follower) {
		for range 45 {
			f.Wake()
			pass(time.Second)
		}
	})
	if want := []string{"a 0s", "a 30s"}; !slices.Equal(r.asked, want) {
		t.Errorf("exchanges while writing goes on at %q, want %q", r.asked, want)
	}
}

// A store that is written all the time is exchanged at every interval, however short it
// is, and however long an exchange takes: no quiet is waited for.
func TestASteadyWriterIsNotPutOff(t *testing.T) {
	for _, every := range []time.Duration{time.Second, 10 * time.Second, time.Minute} {
		for _, takes := range []time.Duration{0, 3 * time.Second} {
			r := &remotes{names: []string{"a"}, answer: func(string) (engine.AutoSynced, error) {
				<-time.After(takes)
				return engine.AutoSynced{}, nil
			}}
			followingEach(t, every, r, func(f *Follower) {
				for range 600 {
					f.Wake()
					pass(500 * time.Millisecond)
				}
			})
			var before time.Duration
			most := max(min(Latest+takes, every), takes+every/4) + time.Second
			for _, a := range append(r.asked, "a 5m0s") {
				at, err := time.ParseDuration(strings.TrimPrefix(a, "a "))
				if err != nil {
					t.Fatal(err)
				}
				if at-before > most {
					t.Errorf("every %v, an exchange of %v: none from %v to %v, want one each %v", every, takes, before, at, most)
				}
				before = at
			}
		}
	}
}

// A remote with which part of an exchange goes through is not away: it is asked again at the interval.
func TestPartOfAnExchangeIsNoReasonToStayAway(t *testing.T) {
	r := &remotes{names: []string{"a"}, answer: func(string) (engine.AutoSynced, error) {
		return engine.AutoSynced{Problem: "cut", Failures: 1, SyncReply: api.SyncReply{Pushed: 3}}, nil
	}}
	following(t, r, func(*Follower) { pass(10*time.Minute + time.Second) })
	if len(r.asked) != 11 {
		t.Errorf("asked at %q, want each minute", r.asked)
	}
}

// A remote that is away is left alone longer and longer, also by what is written, and
// is spoken of once; the other is not kept waiting.
func TestBacksOff(t *testing.T) {
	var back atomic.Bool
	r := &remotes{names: []string{"gone", "here"}}
	r.answer = func(remote string) (engine.AutoSynced, error) {
		if remote == "here" || back.Load() {
			return engine.AutoSynced{}, nil
		}
		return engine.AutoSynced{Problem: "remote gone: cannot be\nreached \x1b[31m"}, nil
	}
	of := func(name string) (out []string) {
		for _, a := range r.asked {
			if at, ok := strings.CutPrefix(a, name+" "); ok {
				out = append(out, at)
			}
		}
		return out
	}
	following(t, r, func(f *Follower) {
		pass(5 * time.Minute)
		f.Wake()
		pass(time.Hour - 5*time.Minute)
		back.Store(true)
		pass(15 * time.Minute)
	})
	// After 1, 2, 4 and 8 minutes, then every 15.
	if got, want := of("gone"), []string{
		"0s", "1m0s", "3m0s", "7m0s", "15m0s", "30m0s", "45m0s", "1h0m0s",
	}; !slices.Equal(got[:8], want) {
		t.Errorf("a remote that is away was tried at %q, want %q", got, want)
	}
	if got := of("here"); len(got) < 70 || !slices.Contains(got, "5m2s") {
		t.Errorf("the other remote was asked at %q", got)
	}
	if len(r.said) != 2 || !strings.Contains(r.said[0], `sync gone: remote gone: cannot be reached \u{1b}`) ||
		!strings.Contains(r.said[1], "again") {
		t.Errorf("said %q", r.said)
	}
}

func TestStepsBackInSilence(t *testing.T) {
	r := &remotes{
		names:  []string{"a"},
		answer: func(string) (engine.AutoSynced, error) { return engine.AutoSynced{Skipped: true}, nil },
	}
	following(t, r, func(*Follower) { pass(70 * time.Second) })
	if want := []string{"a 0s", "a 30s", "a 1m0s"}; !slices.Equal(r.asked, want) || len(r.said) > 0 {
		t.Errorf("asked at %q, want %q; said %q", r.asked, want, r.said)
	}
}

func TestSaysNumbersAlone(t *testing.T) {
	r := &remotes{names: []string{"a"}, answer: func(string) (engine.AutoSynced, error) {
		return engine.AutoSynced{SyncReply: api.SyncReply{Pushed: 2, Pulled: 3}}, nil
	}}
	following(t, r, func(*Follower) {})
	if len(r.said) != 1 || r.said[0] != "sync a: 2 given, 3 taken" || r.pulled != 1 {
		t.Errorf("said %q, told %d times that something came", r.said, r.pulled)
	}
}

// A list that cannot be read is tried again, not at once; remotes that are named
// meanwhile are found, others are forgotten.
func TestRemotesComeAndGo(t *testing.T) {
	r := &remotes{broken: errors.New("damaged"), names: []string{"a"}}
	following(t, r, func(f *Follower) {
		f.Wake()
		pass(30 * time.Second)
		r.become([]string{"a"}, nil)
		pass(31 * time.Second)
		r.become([]string{"b"}, nil)
		pass(time.Minute)
		if len(f.turns) != 1 || f.turns["b"] == nil {
			t.Errorf("turns of %v", f.turns)
		}
	})
	if want := []string{"a 1m0s", "b 2m0s"}; !slices.Equal(r.asked, want) {
		t.Errorf("asked at %q, want %q", r.asked, want)
	}
}

// Whoever is told to end does so, whatever is under way; and to wake it never waits.
func TestEndsAtOnce(t *testing.T) {
	r := &remotes{names: []string{"a", "b"}, hangs: true}
	following(t, r, func(f *Follower) {
		for range 100 {
			f.Wake()
		}
	})
	if len(r.asked) != 1 || len(r.said) > 0 {
		t.Errorf("asked %q, said %q", r.asked, r.said)
	}
	var none *Follower
	none.Wake()
	none.Run(t.Context())
}

func TestSpreads(t *testing.T) {
	for dice, want := range map[float64]time.Duration{0: 45 * time.Second, 1: time.Minute} {
		f := New(Options{Dice: func() float64 { return dice }})
		if got := f.spread(time.Minute); got != want {
			t.Errorf("with %v a minute becomes %v, want %v", dice, got, want)
		}
	}
}
