package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// writes is a Generator that a test writes.
type writes func(ctx context.Context, q Question) (Answer, error)

func (writes) Model() string                                              { return "told" }
func (w writes) Generate(ctx context.Context, q Question) (Answer, error) { return w(ctx, q) }

// after is an error that asks to be left alone for a while.
type after time.Duration

func (after) Error() string               { return "429" }
func (after) Unwrap() error               { return ErrUnavailable }
func (a after) RetryAfter() time.Duration { return time.Duration(a) }

func least(least, _ time.Duration) time.Duration { return least }

func TestBoundsDoNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		var asked atomic.Int32
		g := Bounds{Tries: 1}.Checked(writes(func(context.Context, Question) (Answer, error) {
			asked.Add(1)
			<-done
			return Answer{}, nil
		}))
		for i := range 4 { // past two nobody is even asked
			began := time.Now()
			_, err := g.Generate(t.Context(), Question{Task: Detect})
			if !errors.Is(err, ErrUnavailable) || time.Since(began) != 10*time.Second {
				t.Fatalf("call %d: %v after %v, want ErrUnavailable after 10 s", i, err, time.Since(began))
			}
		}
		if u := g.Usage(); asked.Load() != 2 || u.Tries != 2 || u.Failures["late"] != 2 || u.Failures["busy"] != 2 {
			t.Errorf("asked %d times, want 2; %+v", asked.Load(), u)
		}
		close(done)
		synctest.Wait()
		if _, err := g.Generate(t.Context(), Question{}); err != nil {
			t.Errorf("after the deaf came back: %v", err)
		}
	})
}

func TestBoundsTryAgain(t *testing.T) {
	tests := []struct {
		name  string
		err   error
		bound time.Duration // of the caller; 0 means none
		tries int
		took  time.Duration
	}{
		{"unavailable", ErrUnavailable, 0, 2, 500 * time.Millisecond},
		{"wants 3 s", after(3 * time.Second), 0, 2, 3 * time.Second},
		{"wants less than the least", after(time.Millisecond), 0, 2, 500 * time.Millisecond},
		{"wants an hour", after(time.Hour), 0, 1, 0},
		{"wants more than the caller has", after(3 * time.Second), 2 * time.Second, 1, 0},
		{"refused", ErrRefused, 0, 1, 0},
		{"declined", ErrDeclined, 0, 1, 0},
		{"nonsense", ErrNonsense, 0, 1, 0},
		{"of no kind", errors.New("oh"), 0, 2, 500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				g := Bounds{Jitter: least}.Checked(
					writes(func(context.Context, Question) (Answer, error) { tries++; return Answer{In: 3}, tt.err }),
				)
				ctx := t.Context()
				if tt.bound > 0 {
					var cancel func()
					ctx, cancel = context.WithTimeout(ctx, tt.bound)
					defer cancel()
				}
				began := time.Now()
				a, err := g.Generate(ctx, Question{Task: Detect})
				if !errors.Is(err, tt.err) || tries != tt.tries || time.Since(began) != tt.took || a.In != 3*tt.tries {
					t.Errorf(
						"%v after %d tries and %v, %d tokens, want %d and %v", err, tries, time.Since(began),
						a.In, tt.tries, tt.took,
					)
				}
				if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrRefused) && !errors.Is(err, ErrNonsense) {
					t.Errorf("%v is of no kind", err)
				}
			})
		})
	}
}

func TestBoundsTakeTheSecondAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := Bounds{}.Checked(Sim{Script: NewScript(SimBusy)})
		began := time.Now()
		a, err := g.Generate(t.Context(), detectQuestion("Alice left Acme", "Alice works at Acme"))
		if took := time.Since(began); err != nil || a.Text == "" || took < time.Second || took > 4*time.Second {
			t.Errorf("%+v, %v after %v", a, err, took)
		}
		if u := g.Usage(); u.Calls != 1 || u.Tries != 2 || len(u.Failures) != 0 || u.In != a.In || u.Out != a.Out ||
			!u.Since.Equal(began) || u.Today != a.In+a.Out {
			t.Errorf("usage %+v", u)
		}
	})
}

func TestBoundsJitterIsFull(t *testing.T) {
	jitter := Bounds{}.Checked(Sim{}).bounds.Jitter
	low, high := time.Hour, time.Duration(0)
	for range 2000 {
		d := jitter(leastWait, mostWait)
		low, high = min(low, d), max(high, d)
	}
	if low < 500*time.Millisecond || low > 600*time.Millisecond || high > 4*time.Second || high < 3900*time.Millisecond {
		t.Errorf("waits from %v to %v, want 0.5 s to 4 s", low, high)
	}
}

func TestBoundsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := ErrUnavailable
		asked := 0
		g := Bounds{Tries: 1}.Checked(
			writes(func(context.Context, Question) (Answer, error) { asked++; return Answer{}, answer }),
		)
		ask := func(want error, says string) {
			t.Helper()
			_, err := g.Generate(t.Context(), Question{Task: Detect})
			if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want %v that says %q", err, want, says)
			}
		}
		for range 4 {
			ask(ErrUnavailable, "cannot be reached")
		}
		answer = ErrDeclined // it was there
		ask(ErrDeclined, "")
		answer = ErrUnavailable
		for range 5 {
			ask(ErrUnavailable, "cannot be reached")
		}
		ask(ErrUnavailable, "again and again: it is asked again in 1m0s")
		if asked != 10 {
			t.Errorf("asked %d times, want 10", asked)
		}
		<-time.After(time.Minute)
		ask(ErrUnavailable, "cannot be reached") // the trial
		ask(ErrUnavailable, "again and again")
		<-time.After(59 * time.Second)
		ask(ErrUnavailable, "in 1s")
		if u := g.Usage(); !u.Paused.Equal(time.Now().Add(time.Second)) || u.Failures["paused"] != 3 {
			t.Errorf("usage %+v", u)
		}
		<-time.After(time.Second)
		answer = nil
		ask(nil, "")
		answer = ErrUnavailable
		ask(ErrUnavailable, "cannot be reached")
		ask(ErrUnavailable, "cannot be reached")
		if u := g.Usage(); !u.Paused.IsZero() || asked != 14 {
			t.Errorf("asked %d times, want 14; %+v", asked, u)
		}
	})
}

func TestBoundsTryOnceAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		g := Bounds{
			Failures: 1, Tries: 2, Jitter: least,
		}.Checked(writes(func(ctx context.Context, _ Question) (Answer, error) {
			asked.Add(1)
			<-time.After(time.Second)
			return Answer{}, ErrUnavailable
		}))
		_, _ = g.Generate(t.Context(), Question{})
		<-time.After(time.Minute)
		asked.Store(0)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { _, _ = g.Generate(t.Context(), Question{}) })
		}
		wg.Wait()
		if asked.Load() != 1 {
			t.Errorf("asked %d times after the pause, want once", asked.Load())
		}
		// a trial that the caller cancels says nothing: the next is one too
		<-time.After(time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, err := g.Generate(ctx, Question{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Errorf("cancelled: %v, want context.Canceled alone", err)
		}
		asked.Store(0)
		if _, _ = g.Generate(t.Context(), Question{}); asked.Load() != 1 {
			t.Error("after a cancelled trial nobody is asked")
		}
		<-time.After(time.Minute)
	})
}

func TestBoundsAskTwoAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		g := Bounds{}.Checked(writes(func(context.Context, Question) (Answer, error) {
			most.Store(max(most.Load(), now.Add(1)))
			<-time.After(time.Second)
			now.Add(-1)
			return Answer{Text: "{}"}, nil
		}))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := g.Generate(t.Context(), Question{}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most.Load() != 2 {
			t.Errorf("%d at once, want 2", most.Load())
		}
	})
}

func TestBoundsKeepTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spent := &days{}
		g := Bounds{Budget: 1000, Ledger: spent}.Checked(
			writes(func(context.Context, Question) (Answer, error) { return Answer{Text: "{}", In: 300, Out: 100}, nil }),
		)
		for i := range 5 {
			_, err := g.Generate(t.Context(), Question{Task: Detect, System: strings.Repeat("x", 603)}) // 201 tokens, we think
			if i < 2 && err != nil || i >= 2 && (!errors.Is(err, ErrUnavailable) ||
				!strings.Contains(err.Error(), "the day's tokens are spent: 800 of 1000")) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		day := int(time.Now().Unix() / 86400)
		if u := g.Usage(); u.Failures["budget"] != 3 || u.Today != 800 || spent.Spent(day) != 800 || u.Tries != 2 ||
			!u.Paused.IsZero() {
			t.Errorf("usage %+v, ledger %d", u, spent.Spent(day))
		}
		<-time.After(24 * time.Hour)
		if _, err := g.Generate(t.Context(), Question{}); err != nil || g.Usage().Today != 400 {
			t.Errorf("the next day: %v, %+v", err, g.Usage())
		}
	})
}

func TestBoundsReserveWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := Bounds{Budget: 300, AtOnce: 9}.Checked(writes(func(context.Context, Question) (Answer, error) {
			<-time.After(time.Second)
			return Answer{In: 100}, nil
		}))
		var wg sync.WaitGroup
		for range 9 {
			wg.Go(func() { _, _ = g.Generate(t.Context(), Question{System: strings.Repeat("x", 300)}) })
		}
		wg.Wait()
		if u := g.Usage(); u.Today != 300 || u.Tries != 3 || u.Failures["budget"] != 6 {
			t.Errorf("usage %+v, want 300 tokens of 3 tries", u)
		}
	})
}

func TestBoundsJudge(t *testing.T) {
	tests := []struct {
		name string
		give Answer
		err  error
		in   int
		out  int
		want error
	}{
		{"no counts", Answer{Text: "123456"}, nil, 4, 2, nil},
		{"counts that are none", Answer{Text: "123456", In: -5, Out: 1 << 40}, nil, 4, 2, nil},
		{"refused without an error", Answer{Refused: true, In: 1, Out: 1}, nil, 1, 1, ErrDeclined},
		{"vast", Answer{Text: strings.Repeat("x", maxAnswer+1), In: 1, Out: 1}, nil, 1, 1, ErrNonsense},
		{"too late", Answer{}, context.DeadlineExceeded, 4, 0, ErrUnavailable},
		{"turned away", Answer{}, ErrUnavailable, 0, 0, ErrUnavailable},
	}
	for _, tt := range tests {
		g := Bounds{Tries: 1}.Checked(writes(func(context.Context, Question) (Answer, error) { return tt.give, tt.err }))
		a, err := g.Generate(t.Context(), Question{System: "1234567890"})
		if a.In != tt.in || a.Out != tt.out || !errors.Is(err, tt.want) || err != nil && a.Text != "" {
			t.Errorf("%s: %d and %d tokens, %v, want %d and %d, %v", tt.name, a.In, a.Out, err, tt.in, tt.out, tt.want)
		}
	}
	g := Bounds{}.Checked(writes(func(context.Context, Question) (Answer, error) { panic("oh") }))
	if _, err := g.Generate(t.Context(), Question{}); !errors.Is(err, ErrNonsense) ||
		!strings.Contains(err.Error(), "oh") || g.Usage().Failures["panic"] != 1 {
		t.Errorf("panic: %v, want ErrNonsense that says oh; %+v", err, g.Usage())
	}
}

func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""}, {ErrDeclined, "declined"}, {ErrRefused, "refused"}, {
			late(context.DeadlineExceeded), "late",
		}, {ErrUnavailable, "unavailable"},
		{context.Canceled, "cancelled"}, {fmt.Errorf("x: %w", ErrNonsense), "nonsense"},
	} {
		if got := why(tt.err); got != tt.want {
			t.Errorf("why(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
