package model

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

	"github.com/stemma-memory/stemma/llm"
)

// writes is a Generator that a test writes.
type writes func(ctx context.Context, q llm.Question) (llm.Answer, error)

func (writes) Model() string                                                      { return "told" }
func (w writes) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) { return w(ctx, q) }

// after is an error that asks to be left alone for a while.
type after time.Duration

func (after) Error() string               { return "429" }
func (after) Unwrap() error               { return llm.ErrUnavailable }
func (a after) RetryAfter() time.Duration { return time.Duration(a) }

func least(least, _ time.Duration) time.Duration { return least }

func TestBoundsDoNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		var asked atomic.Int32
		g := Bounds{Bounds: llm.Bounds{Tries: 1}}.Checked(writes(func(context.Context, llm.Question) (llm.Answer, error) {
			asked.Add(1)
			<-done
			return llm.Answer{}, nil
		}))
		for i := range 4 { // past two nobody is even asked
			began := time.Now()
			_, err := g.Generate(t.Context(), llm.Question{Task: llm.Detect})
			if !errors.Is(err, llm.ErrUnavailable) || time.Since(began) != 10*time.Second {
				t.Fatalf("call %d: %v after %v, want ErrUnavailable after 10 s", i, err, time.Since(began))
			}
		}
		if u := g.Usage(); asked.Load() != 2 || u.Tries != 2 || u.Failures["late"] != 2 || u.Failures["busy"] != 2 {
			t.Errorf("asked %d times, want 2; %+v", asked.Load(), u)
		}
		close(done)
		synctest.Wait()
		if _, err := g.Generate(t.Context(), llm.Question{}); err != nil {
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
		{"unavailable", llm.ErrUnavailable, 0, 2, 500 * time.Millisecond},
		{"wants 3 s", after(3 * time.Second), 0, 2, 3 * time.Second},
		{"wants less than the least", after(time.Millisecond), 0, 2, 500 * time.Millisecond},
		{"wants an hour", after(time.Hour), 0, 1, 0},
		{"wants more than the caller has", after(3 * time.Second), 2 * time.Second, 1, 0},
		{"refused", llm.ErrRefused, 0, 1, 0},
		{"declined", llm.ErrDeclined, 0, 1, 0},
		{"nonsense", llm.ErrNonsense, 0, 1, 0},
		{"of no kind", errors.New("oh"), 0, 2, 500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				g := Bounds{Jitter: least}.Checked(
					writes(func(context.Context, llm.Question) (llm.Answer, error) { tries++; return llm.Answer{In: 3}, tt.err }),
				)
				ctx := t.Context()
				if tt.bound > 0 {
					var cancel func()
					ctx, cancel = context.WithTimeout(ctx, tt.bound)
					defer cancel()
				}
				began := time.Now()
				a, err := g.Generate(ctx, llm.Question{Task: llm.Detect})
				if !errors.Is(err, tt.err) || tries != tt.tries || time.Since(began) != tt.took || a.In != 3*tt.tries {
					t.Errorf(
						"%v after %d tries and %v, %d tokens, want %d and %v", err, tries, time.Since(began),
						a.In, tt.tries, tt.took,
					)
				}
				if !errors.Is(err, llm.ErrUnavailable) && !errors.Is(err, llm.ErrRefused) && !errors.Is(err, llm.ErrNonsense) {
					t.Errorf("%v is of no kind", err)
				}
			})
		})
	}
}

func TestBoundsJitterIsFull(t *testing.T) {
	jitter := Bounds{}.Checked(writes(nil)).bounds.Jitter
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
		answer := llm.ErrUnavailable
		asked := 0
		g := Bounds{Bounds: llm.Bounds{Tries: 1}}.Checked(
			writes(func(context.Context, llm.Question) (llm.Answer, error) { asked++; return llm.Answer{}, answer }),
		)
		ask := func(want error, says string) {
			t.Helper()
			_, err := g.Generate(t.Context(), llm.Question{Task: llm.Detect})
			if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want %v that says %q", err, want, says)
			}
		}
		for range 4 {
			ask(llm.ErrUnavailable, "cannot be reached")
		}
		answer = llm.ErrDeclined // it was there
		ask(llm.ErrDeclined, "")
		answer = llm.ErrUnavailable
		for range 5 {
			ask(llm.ErrUnavailable, "cannot be reached")
		}
		ask(llm.ErrUnavailable, "again and again: it is asked again in 1m0s")
		if asked != 10 {
			t.Errorf("asked %d times, want 10", asked)
		}
		<-time.After(time.Minute)
		ask(llm.ErrUnavailable, "cannot be reached") // the trial
		ask(llm.ErrUnavailable, "again and again")
		<-time.After(59 * time.Second)
		ask(llm.ErrUnavailable, "in 1s")
		if u := g.Usage(); !u.Paused.Equal(time.Now().Add(time.Second)) || u.Failures["paused"] != 3 {
			t.Errorf("usage %+v", u)
		}
		<-time.After(time.Second)
		answer = nil
		ask(nil, "")
		answer = llm.ErrUnavailable
		ask(llm.ErrUnavailable, "cannot be reached")
		ask(llm.ErrUnavailable, "cannot be reached")
		if u := g.Usage(); !u.Paused.IsZero() || asked != 14 {
			t.Errorf("asked %d times, want 14; %+v", asked, u)
		}
	})
}

func TestBoundsTryOnceAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		g := Bounds{
			Bounds: llm.Bounds{Failures: 1, Tries: 2}, Jitter: least,
		}.Checked(writes(func(ctx context.Context, _ llm.Question) (llm.Answer, error) {
			asked.Add(1)
			<-time.After(time.Second)
			return llm.Answer{}, llm.ErrUnavailable
		}))
		_, _ = g.Generate(t.Context(), llm.Question{})
		<-time.After(time.Minute)
		asked.Store(0)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { _, _ = g.Generate(t.Context(), llm.Question{}) })
		}
		wg.Wait()
		if asked.Load() != 1 {
			t.Errorf("asked %d times after the pause, want once", asked.Load())
		}
		// a trial that the caller cancels says nothing: the next is one too
		<-time.After(time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, err := g.Generate(ctx, llm.Question{}); !errors.Is(err, context.Canceled) ||
			errors.Is(err, llm.ErrUnavailable) {
			t.Errorf("cancelled: %v, want context.Canceled alone", err)
		}
		asked.Store(0)
		if _, _ = g.Generate(t.Context(), llm.Question{}); asked.Load() != 1 {
			t.Error("after a cancelled trial nobody is asked")
		}
		<-time.After(time.Minute)
	})
}

func TestBoundsAskTwoAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		g := Bounds{}.Checked(writes(func(context.Context, llm.Question) (llm.Answer, error) {
			most.Store(max(most.Load(), now.Add(1)))
			<-time.After(time.Second)
			now.Add(-1)
			return llm.Answer{Text: "{}"}, nil
		}))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := g.Generate(t.Context(), llm.Question{}); err != nil {
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
		g := Bounds{Bounds: llm.Bounds{Budget: 1000}, Ledger: spent}.Checked(
			writes(func(context.Context, llm.Question) (llm.Answer, error) {
				return llm.Answer{Text: "{}", In: 300, Out: 100}, nil
			}),
		)
		for i := range 5 {
			// 201 tokens, we think
			_, err := g.Generate(t.Context(), llm.Question{Task: llm.Detect, System: strings.Repeat("x", 603)})
			if i < 2 && err != nil || i >= 2 && (!errors.Is(err, llm.ErrUnavailable) ||
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
		if _, err := g.Generate(t.Context(), llm.Question{}); err != nil || g.Usage().Today != 400 {
			t.Errorf("the next day: %v, %+v", err, g.Usage())
		}
	})
}

func TestBoundsReserveWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := Bounds{Bounds: llm.Bounds{Budget: 300, AtOnce: 9}}.Checked(writes(func(context.Context,
			llm.Question) (llm.Answer, error) {
			<-time.After(time.Second)
			return llm.Answer{In: 100}, nil
		}))
		var wg sync.WaitGroup
		for range 9 {
			wg.Go(func() { _, _ = g.Generate(t.Context(), llm.Question{System: strings.Repeat("x", 300)}) })
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
		give llm.Answer
		err  error
		in   int
		out  int
		want error
	}{
		{"no counts", llm.Answer{Text: "123456"}, nil, 4, 2, nil},
		{"counts that are none", llm.Answer{Text: "123456", In: -5, Out: 1 << 40}, nil, 4, 2, nil},
		{"refused without an error", llm.Answer{Refused: true, In: 1, Out: 1}, nil, 1, 1, llm.ErrDeclined},
		{"vast", llm.Answer{Text: strings.Repeat("x", maxAnswer+1), In: 1, Out: 1}, nil, 1, 1, llm.ErrNonsense},
		{"too late", llm.Answer{}, context.DeadlineExceeded, 4, 0, llm.ErrUnavailable},
		{"turned away", llm.Answer{}, llm.ErrUnavailable, 0, 0, llm.ErrUnavailable},
	}
	for _, tt := range tests {
		g := Bounds{Bounds: llm.Bounds{Tries: 1}}.Checked(writes(func(context.Context, llm.Question) (llm.Answer,
			error) {
			return tt.give, tt.err
		}))
		a, err := g.Generate(t.Context(), llm.Question{System: "1234567890"})
		if a.In != tt.in || a.Out != tt.out || !errors.Is(err, tt.want) || err != nil && a.Text != "" {
			t.Errorf("%s: %d and %d tokens, %v, want %d and %d, %v", tt.name, a.In, a.Out, err, tt.in, tt.out, tt.want)
		}
	}
	g := Bounds{}.Checked(writes(func(context.Context, llm.Question) (llm.Answer, error) { panic("oh") }))
	if _, err := g.Generate(t.Context(), llm.Question{}); !errors.Is(err, llm.ErrNonsense) ||
		!strings.Contains(err.Error(), "oh") || g.Usage().Failures["panic"] != 1 {
		t.Errorf("panic: %v, want ErrNonsense that says oh; %+v", err, g.Usage())
	}
}

func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""}, {llm.ErrDeclined, "declined"}, {llm.ErrRefused, "refused"}, {
			Late(context.DeadlineExceeded), "late",
		}, {llm.ErrUnavailable, "unavailable"},
		{context.Canceled, "cancelled"}, {fmt.Errorf("x: %w", llm.ErrNonsense), "nonsense"},
	} {
		if got := why(tt.err); got != tt.want {
			t.Errorf("why(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
