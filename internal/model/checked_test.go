package model

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

// scripted is an embedder with scripted answers that records what it was asked.
type scripted struct {
	embed func(ctx context.Context, texts []string) ([][]float32, error)

	mu    sync.Mutex
	calls [][]string
}

func (t *scripted) Model() string { return "told" }

func (t *scripted) Embed(ctx context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	t.mu.Lock()
	t.calls = append(t.calls, texts)
	t.mu.Unlock()
	return t.embed(ctx, texts)
}

// always returns every text the same vector.
func always(v ...float32) *scripted {
	return &scripted{embed: func(_ context.Context, texts []string) ([][]float32, error) {
		vectors := make([][]float32, len(texts))
		for i := range vectors {
			vectors[i] = v
		}
		return vectors, nil
	}}
}

func TestCheckedKeepsThePromises(t *testing.T) {
	e := always(3, 4)
	got, err := Limits{Batch: 2, TextBytes: 5}.Checked(e).Embed(
		t.Context(), llm.Document, "one", " \n", "abcdé", "", "four", "five",
	)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if i == 1 || i == 3 {
			if v != nil {
				t.Errorf("vector of an empty text = %v, want nil", v)
			}
			continue
		}
		if !slices.Equal(v, []float32{.6, .8}) {
			t.Errorf("vector %d = %v, want [.6 .8]", i, v)
		}
	}
	// é is two bytes and begins with the fifth
	want := [][]string{{"one", "abcd"}, {"four", "five"}}
	if !slices.EqualFunc(e.calls, want, slices.Equal) {
		t.Errorf("asked %q, want %q", e.calls, want)
	}
}

func TestCheckedRefusesNonsense(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name    string
		vectors [][]float32
	}{
		{"too few", [][]float32{{1}}},
		{"too many", [][]float32{{1}, {1}, {1}}},
		{"no vectors", nil},
		{"two dimensions", [][]float32{{1, 0}, {1}}},
		{"no numbers", [][]float32{{}, {}}},
		{"zeros", [][]float32{{1, 0}, {0, 0}}},
		{"not a number", [][]float32{{1, 0}, {1, nan}}},
		{"infinite", [][]float32{{1, 0}, {inf, 1}}},
		{"vast", [][]float32{slices.Repeat([]float32{1}, maxDims+1), nil}},
	}
	for _, tt := range tests {
		e := Checked(&scripted{embed: func(context.Context, []string) ([][]float32, error) { return tt.vectors, nil }})
		got, err := e.Embed(t.Context(), llm.Document, "a", "b")
		if !errors.Is(err, llm.ErrNonsense) || got != nil {
			t.Errorf("%s: got %v and error %v, want ErrNonsense", tt.name, got, err)
		}
	}
}

func TestCheckedHoldsToOneDimension(t *testing.T) {
	answer := []float32{1, 2}
	inner := &scripted{embed: func(context.Context, []string) ([][]float32, error) { return [][]float32{answer}, nil }}
	e := Checked(inner)
	if _, err := e.Embed(t.Context(), llm.Document, "a"); err != nil {
		t.Fatal(err)
	}
	answer = []float32{1, 2, 3}
	if _, err := e.Embed(t.Context(), llm.Query, "b"); !errors.Is(err, llm.ErrNonsense) {
		t.Errorf("another dimension the second time: %v, want ErrNonsense", err)
	}
	if _, err := (Limits{Dims: 2}).Checked(inner).Embed(t.Context(), llm.Query, "b"); !errors.Is(err, llm.ErrNonsense) {
		t.Errorf("another dimension than was said: %v, want ErrNonsense", err)
	}
}

func TestCheckedPassesNilAndDoesNotTouchWhatIsNotItsOwn(t *testing.T) {
	theirs := [][]float32{nil, {0, 2}}
	e := Checked(&scripted{embed: func(context.Context, []string) ([][]float32, error) { return theirs, nil }})
	got, err := e.Embed(t.Context(), llm.Document, "a", "b")
	if err != nil || got[0] != nil || !slices.Equal(got[1], []float32{0, 1}) {
		t.Errorf("got %v, %v, want [nil [0 1]]", got, err)
	}
	if theirs[1][1] != 2 {
		t.Error("the embedder's own vector was changed")
	}
}

func TestCheckedDoesNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		e := Checked(&scripted{embed: func(context.Context, []string) ([][]float32, error) { <-done; return nil, nil }})
		for i := range 2 * maxCalls { // past maxCalls nobody is even asked
			began := time.Now()
			_, err := e.Embed(t.Context(), llm.Query, "a")
			if !errors.Is(err, llm.ErrUnavailable) || time.Since(began) != defaultQueryTimeout {
				t.Fatalf("call %d: %v after %v, want ErrUnavailable after %v", i, err, time.Since(began), defaultQueryTimeout)
			}
		}
		close(done)
		synctest.Wait()
		if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrNonsense) {
			t.Errorf("after the deaf came back: %v, want its nonsense", err)
		}
	})
}

func TestCheckedTellsCancelledFromLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := Checked(&scripted{embed: func(ctx context.Context, _ []string) ([][]float32, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	_, err := e.Embed(ctx, llm.Document, "a")
	if !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("cancelled: %v, want context.Canceled alone", err)
	}
}

func TestCheckedPassesErrorsAndCatchesPanics(t *testing.T) {
	e := Checked(&scripted{embed: func(context.Context, []string) ([][]float32, error) { return nil, llm.ErrRefused }})
	if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("refused: %v", err)
	}
	e = Checked(&scripted{embed: func(context.Context, []string) ([][]float32, error) { panic("oh") }})
	if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrNonsense) ||
		!strings.Contains(err.Error(), "oh") {
		t.Errorf("panic: %v, want ErrNonsense that says oh", err)
	}
}
