package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
)

// Limits bound what is asked of an Embedder and how long. The zero value means the defaults.
type Limits struct {
	Batch        int           // texts in one call; 0 means 64
	TextBytes    int           // bytes of one text, what is beyond them is not embedded; 0 means 8 KiB
	Timeout      time.Duration // of one call for documents; 0 means 30 s
	QueryTimeout time.Duration // of one call for queries, which somebody waits for; 0 means 2 s
	Dims         int           // the dimension there must be; 0 means that of the first answer
}

const (
	defaultBatch        = 64
	defaultTextBytes    = 8 << 10
	defaultTimeout      = 30 * time.Second
	defaultQueryTimeout = 2 * time.Second

	maxDims  = 1 << 16
	maxCalls = 8 // that may be under way, those included that nobody waits for any more
)

// Checked is Limits.Checked with the default limits.
func Checked(e llm.Embedder) llm.Embedder { return Limits{}.Checked(e) }

// Checked returns an Embedder that keeps the promises of the interface whatever e does: it splits long lists into
// batches, bounds each text, gives up a call that takes too long even if e does not, and takes only as many
// vectors as there were texts, of finite numbers and of one dimension for ever. It makes them of unit length.
// White space alone is not asked about: it has no vector.
//
// A vector e gives as nil stays nil. What breaks a promise is ErrNonsense; an answer too late is ErrUnavailable.
// When the caller cancels, the error is context.Canceled and neither of the two.
func (l Limits) Checked(e llm.Embedder) llm.Embedder {
	if l.Batch <= 0 {
		l.Batch = defaultBatch
	}
	if l.TextBytes <= 0 {
		l.TextBytes = defaultTextBytes
	}
	if l.Timeout <= 0 {
		l.Timeout = defaultTimeout
	}
	if l.QueryTimeout <= 0 {
		l.QueryTimeout = defaultQueryTimeout
	}
	c := &checked{of: e, limits: l, calls: make(chan struct{}, maxCalls)}
	c.dims.Store(int64(max(l.Dims, 0)))
	if near, ok := e.(llm.Local); ok {
		return local{c, near}
	}
	return c
}

// local is a checked embedder that works in this process.
type local struct {
	*checked
	of llm.Local
}

func (l local) Unrelated() float64 { return l.of.Unrelated() }

type checked struct {
	of     llm.Embedder
	limits Limits
	calls  chan struct{} // holds one for each call under way
	dims   atomic.Int64  // 0 until the first vector
}

func (c *checked) Model() string { return c.of.Model() }

func (c *checked) Embed(ctx context.Context, purpose llm.Purpose, texts ...string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var places []int // of the texts that have something in them
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			places = append(places, i)
		}
	}
	for len(places) > 0 {
		some := places[:min(len(places), c.limits.Batch)]
		places = places[len(some):]
		batch := make([]string, len(some))
		for i, place := range some {
			batch[i] = shorten.To(texts[place], c.limits.TextBytes)
		}
		got, err := c.embed(ctx, purpose, batch)
		if err != nil {
			return nil, fmt.Errorf("embed by %s: %w", c.Model(), err)
		}
		for i, place := range some {
			vectors[place] = got[i]
		}
	}
	return vectors, nil
}

// leastTextBytes is how much of a text a model must take.
const leastTextBytes = 512

// embed asks for the vectors of a batch. Where the model finds it too long, it asks in halves, and of a single text
// for its first half: one long text does not keep the others from theirs.
func (c *checked) embed(ctx context.Context, purpose llm.Purpose, batch []string) ([][]float32, error) {
	got, err := c.call(ctx, purpose, batch)
	if err == nil {
		return c.judge(got, len(batch))
	}
	var long interface{ TooLong() bool }
	switch {
	case !errors.As(err, &long) || !long.TooLong():
		return nil, err
	case len(batch) > 1:
		half := len(batch) / 2
		first, err := c.embed(ctx, purpose, batch[:half])
		if err != nil {
			return nil, err
		}
		second, err := c.embed(ctx, purpose, batch[half:])
		return append(first, second...), err
	case len(batch[0])/2 < leastTextBytes:
		return nil, err
	}
	return c.embed(ctx, purpose, []string{shorten.To(batch[0], len(batch[0])/2)})
}

type answer struct {
	vectors [][]float32
	err     error
}

// call asks once and waits no longer than the limit. An embedder that does not heed its context is left behind;
// maxCalls of those, and no more are asked.
func (c *checked) call(ctx context.Context, purpose llm.Purpose, batch []string) ([][]float32, error) {
	limit := c.limits.Timeout
	if purpose == llm.Query {
		limit = c.limits.QueryTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case c.calls <- struct{}{}:
	case <-ctx.Done():
		return nil, Late(ctx.Err())
	}
	came := make(chan answer, 1)
	go func() {
		defer func() { <-c.calls }()
		// out here no one else could catch it
		defer func() {
			if p := recover(); p != nil {
				came <- answer{nil, fmt.Errorf("it panicked: %v: %w", p, llm.ErrNonsense)}
			}
		}()
		vectors, err := c.of.Embed(ctx, purpose, batch...)
		came <- answer{vectors, err}
	}()
	select {
	case a := <-came:
		return a.vectors, Late(a.err)
	case <-ctx.Done():
		return nil, Late(ctx.Err())
	}
}

// Late makes an error that time ran out one that the embedder was unavailable.
func Late(err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, llm.ErrUnavailable) {
		return fmt.Errorf("%w: %w", llm.ErrUnavailable, err)
	}
	return err
}

// judge checks the vectors of one answer and gives them of unit length, in memory of its own.
func (c *checked) judge(vectors [][]float32, asked int) ([][]float32, error) {
	if len(vectors) != asked {
		return nil, fmt.Errorf("%d vectors for %d texts: %w", len(vectors), asked, llm.ErrNonsense)
	}
	units := make([][]float32, len(vectors))
	dims := int(c.dims.Load())
	for i, v := range vectors {
		if v == nil {
			continue
		}
		if dims == 0 {
			dims = len(v)
		}
		if len(v) != dims || len(v) > maxDims {
			return nil, fmt.Errorf("a vector of dimension %d, expected %d: %w", len(v), dims, llm.ErrNonsense)
		}
		unit, ok := Unit(v)
		if !ok {
			return nil, fmt.Errorf("a vector that has no direction: %w", llm.ErrNonsense)
		}
		units[i] = unit
	}
	// two first answers may have raced
	if dims > 0 && !c.dims.CompareAndSwap(0, int64(dims)) && int(c.dims.Load()) != dims {
		return nil, fmt.Errorf("a vector of dimension %d, expected %d: %w", dims, c.dims.Load(), llm.ErrNonsense)
	}
	return units, nil
}

// Unit returns a vector of the direction of v and of length 1, in memory of its own. It says false when v has no
// direction: all zeros, or a number in it is infinite or none.
func Unit(v []float32) ([]float32, bool) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, false
	}
	scale := 1 / math.Sqrt(sum)
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) * scale)
	}
	return unit, true
}
