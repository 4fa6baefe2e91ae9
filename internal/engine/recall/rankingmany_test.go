//go:build !race

package recall_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// The one of 3,750, with STEMMA_LONG of 15,000, that has all words of the question is first.
func TestPlantedMatchComesFirst(t *testing.T) {
	words := strings.Fields("zebra purple bridge midnight lantern")
	onEach(t, func(t *testing.T, e *engine.Engine) {
		if _, err := e.Ingest(t.Context(), ordinary(many(5000), 1, words), nil); err != nil {
			t.Fatal(err)
		}
		planted := capture(t, e, "the zebra crossed a purple bridge at midnight, with a lantern")
		if _, err := e.Ingest(t.Context(), func(yield func(api.Foreign, error) bool) {
			for f, err := range ordinary(many(10_000), 2, words) {
				if f.Alias[0] += " again"; !yield(f, err) {
					return
				}
			}
		}, nil); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{
			"zebra purple bridge midnight lantern", "lantern: did a ZEBRA cross the purple bridges at midnight?",
		} {
			got := search(t, e, api.SearchRequest{Query: query})
			if len(got.Results) != 10 || got.Results[0].Ref != planted || got.Results[0].Factors.Relevance != 1 {
				t.Errorf("search %q: %v, want %s first", query, shortened(refs(got)), planted)
			}
		}
	})
}

// Reading strengthens nothing: after 250 readings, with STEMMA_LONG 1,000, a search gives what it gave.
func TestReadingChangesNoRank(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	p := newPeople(t)
	populate(t, rng, p, 100)
	p.Stop()
	queries := []string{"river bridge harbour", "release", "数据库", "the store keeps a record"}
	ask := func() []string {
		var out []string
		for _, q := range queries {
			for _, r := range search(t, p.Agent, api.SearchRequest{Query: q, Limit: 100}).Results {
				out = append(out, fmt.Sprintf("%s %v %+v", r.Ref, r.Score, r.Factors))
			}
			c, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: q})
			if err != nil {
				t.Fatal(err)
			}
			body, err := c.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(body))
		}
		return out
	}
	before := ask()
	var shown []string
	for _, r := range search(t, p.Agent, api.SearchRequest{Query: queries[0], Limit: 100}).Results {
		shown = append(shown, r.Ref)
	}
	if len(shown) < 10 {
		t.Fatalf("%d memories to read", len(shown))
	}
	for i := range many(1000) {
		ref := shown[len(shown)-1-i%3] // the worst, again and again
		switch i % 4 {
		case 0:
			search(t, p.Agent, api.SearchRequest{Query: queries[i%len(queries)]})
		case 1:
			if _, err := p.Agent.Trace(t.Context(), api.TraceRequest{Ref: ref}); err != nil {
				t.Fatal(err)
			}
		default:
			show(t, p.Agent, ref)
		}
	}
	again := p.As(memory.OriginAgent) // another process, once what was read is written down
	if err := p.Agent.Close(); err != nil {
		t.Fatal(err)
	}
	p.Agent = again
	if after := ask(); !slices.Equal(after, before) {
		t.Errorf("after all readings another answer:\n%.400s\nbefore\n%.400s", after, before)
	}
}

// A score is the product of its factors as they are printed, and orders the
// results.
func TestScoreIsTheProduct(t *testing.T) {
	t.Parallel()
	const exact = 1e-9
	rng := rand.New(rand.NewPCG(8, 8))
	p := newPeople(t)
	populate(t, rng, p, 150)
	p.Ahead(100 * 24 * time.Hour)
	populate(t, rng, p, 50)
	seen := 0
	for range many(120) {
		r := search(t, p.Agent, api.SearchRequest{Query: phrase(rng, 6), Limit: 50, Explain: true, All: rng.IntN(2) == 0})
		last := math.Inf(1)
		for i, one := range r.Results {
			f := one.Factors
			product := f.Relevance * f.Tier * f.Trust * f.Recency
			if rounded := math.Round(product*1000) / 1000; math.Abs(one.Score-rounded) > exact {
				t.Fatalf("score %v of %+v, want %v", one.Score, f, rounded)
			}
			for _, factor := range []float64{f.Relevance, f.Tier, f.Trust, f.Recency} {
				if math.Abs(factor*1000-math.Round(factor*1000)) > 1e-6 {
					t.Fatalf("factors %+v, want three decimals", f)
				}
			}
			seen++
			if len(one.Undecided)+len(one.Marks) > 0 {
				continue // it may stand below what is newer, or above what is older
			}
			if product > last+exact || one.Rank != i+1 {
				t.Fatalf("rank %d (said to be %d) has %v after %v", i+1, one.Rank, product, last)
			}
			last = product
		}
	}
	if seen < 500 {
		t.Errorf("only %d results were looked at", seen)
	}
}
