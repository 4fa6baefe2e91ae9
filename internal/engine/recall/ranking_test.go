package recall_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// Of one text, what is better grounded comes first, whatever its author says of
// how sure he is, and whichever was written first. Each holds of another year:
// otherwise they would share a line.
func TestTierDecidesAmongEquals(t *testing.T) {
	for _, upside := range []bool{false, true} {
		r := newRepo(t)
		r.Write("harbour.go", "package harbour\n")
		r.Commit("first")
		p := newPeople(t, func(c *engine.Config) { c.Dir = r.Dir })
		const text = "the harbour closes at nine"
		raw := capture(t, p.Agent, "seen from the pier")
		by := []func() string{
			func() string { // grounded
				ref := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text},
					Meta: api.Meta{Confidence: number(0.05), ValidFrom: "2020-01-01", Files: []string{"harbour.go"}, Approve: true}})
				verify(t, p.Owner, ref)
				return ref
			},
			func() string { // observed
				return write(
					t, p.Agent,
					api.AddRequest{
						From: []string{raw}, Draft: api.Draft{Kind: "belief", Text: text},
						Meta: api.Meta{Confidence: number(0.1), ValidFrom: "2021-01-01"},
					},
				)
			},
			func() string { // inferred
				return write(
					t, p.Agent,
					api.AddRequest{
						Draft: api.Draft{Kind: "belief", Text: text},
						Meta:  api.Meta{Confidence: number(0.5), ValidFrom: "2022-01-01"},
					},
				)
			},
			func() string { // hypothesis: in the same words it would be the person's, above the agent's
				return write(
					t, p.Owner,
					api.AddRequest{
						Draft: api.Draft{Kind: "belief", Text: "at nine the harbour closes"},
						Meta:  api.Meta{Confidence: number(1), ValidFrom: "2023-01-01"},
					},
				)
			},
		}
		want := make([]string, len(by))
		for i := range by {
			if upside {
				i = len(by) - 1 - i
			}
			want[i] = by[i]()
		}
		got := search(t, p.Agent, api.SearchRequest{Query: "when does the harbour close", Kind: "belief"})
		if !slices.Equal(refs(got), want) {
			t.Errorf("found %v, want %v", shortened(refs(got)), shortened(want))
			continue
		}
		for i, tier := range []state.Tier{state.Grounded, state.Observed, state.Inferred, state.Hypothesis} {
			if r := got.Results[i]; r.Tier != string(tier) || r.Factors.Tier != []float64{2, 1.5, 1, 0.5}[i] {
				t.Errorf("rank %d: tier %s, factor %v, want %s", i+1, r.Tier, r.Factors.Tier, tier)
			}
		}
	}
}

// ordinary returns n raws of a vocabulary in which few words are common.
func ordinary(n int, seed uint64, others []string) func(func(api.Foreign, error) bool) {
	return func(yield func(api.Foreign, error) bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		zipf := rand.NewZipf(rng, 1.1, 4, 4999)
		for i := range n {
			words := make([]string, 6+rng.IntN(20))
			for j := range words {
				words[j] = fmt.Sprintf("word%c", 'a'+zipf.Uint64()%26) + fmt.Sprint(zipf.Uint64())
			}
			for range rng.IntN(len(others)) { // some of the words, never all
				words = append(words, others[rng.IntN(len(others)-1)])
			}
			f := api.Foreign{Alias: []string{fmt.Sprint("ordinary:", i)}, Meta: api.Meta{Session: fmt.Sprint(i / 30)}}
			f.Body = &memory.Raw{Text: strings.Join(words, " "), Source: "import", Event: "turn"}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Without vectors and a graph, the parts of a relevance add up to it.
func TestExplainAddsUp(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for i := range 30 {
			session := fmt.Sprint("s", i/10)
			text := []string{"is the harbour open?", "no, it closes early", "what a pity"}[i%3]
			if _, err := e.Capture(t.Context(), api.CaptureRequest{Text: text, Meta: api.Meta{Session: session}}); err != nil {
				t.Fatal(err)
			}
		}
		r := search(t, e, api.SearchRequest{Query: "when does the harbour close", Explain: true, Limit: 30})
		if len(r.Results) < 10 {
			t.Fatalf("%d results", len(r.Results))
		}
		best := 0.0
		sum := func(w *api.Why) float64 { return w.Own + w.Propagated + w.Shared }
		for _, one := range r.Results {
			best = max(best, sum(one.Why))
		}
		for _, one := range r.Results {
			if got, want := sum(one.Why)/best, one.Factors.Relevance; math.Abs(got-want) > 0.003 {
				t.Errorf("%s: the parts %+v are %.3f, the relevance %.3f", one.Text, *one.Why, got, want)
			}
			if got, want := one.Why.Question, []string{"harbour", "close"}; !slices.Equal(got, want) {
				t.Errorf("asked %v, want %v", got, want)
			}
		}
	})
}

// A store opened read-only is searched, and its file stays as it is.
func TestReadOnlySearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 9))
	p := newPeople(t)
	populate(t, rng, p, 80)
	want := refs(search(t, p.Agent, api.SearchRequest{Query: "river harbour"}))
	for _, e := range []*engine.Engine{p.Owner, p.Agent} {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	before := digest(t, p.Path)
	receipts := filepath.Join(t.TempDir(), "receipts")
	e := p.As(memory.OriginAgent, func(c *engine.Config) { c.ReadOnly, c.Receipts = true, receipts })
	r := search(t, e, api.SearchRequest{Query: "river harbour"})
	if got := refs(r); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("found %v, want %v", shortened(got), shortened(want))
	}
	if r.Receipt != "" {
		t.Errorf("receipt %q, want none", r.Receipt)
	}
	if _, err := e.Context(t.Context(), api.ContextRequest{Query: "river"}); err != nil {
		t.Errorf("context: %v", err)
	}
	if _, err := e.Load(t.Context(), api.LoadRequest{}); err != nil {
		t.Errorf("load: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if after := digest(t, p.Path); after != before {
		t.Error("the store's bytes changed")
	}
	if exists(receipts) {
		t.Error("receipts were written")
	}
}
