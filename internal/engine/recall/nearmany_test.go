package recall_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
)

const nearAll = "What is it, who is the one, when is the next, where is the other, which is for what, how do we do it?"

// What was made to be near every question is found by its words alone, and nothing else is kept back.
func TestNearEveryQuestion(t *testing.T) {
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := &countedQuestions{Embedder: llmtest.Hashed(256, 1)}
			e := open(t, spec(t), engine.Config{Embedder: counts})
			made := capture(t, e, nearAll)
			for i := range 99 {
				capture(t, e, fmt.Sprintf("gravel %d silt %d marl %d", i, i*7, i*13))
			}
			similar := func() (of map[string]float64) {
				of = make(map[string]float64)
				query := "where is the gravel 7 that is next to the other"
				for _, r := range search(t, e, api.SearchRequest{Query: query, Explain: true, Limit: 100}).Results {
					if of[r.Ref] = 0; r.Why != nil {
						of[r.Ref] = r.Why.Cosine
					}
				}
				return of
			}
			embed(t, e, 50)
			if counts.of != 0 {
				t.Errorf("counted after a part of the store, want after all of it")
			}
			embed(t, e, 0)
			of := similar()
			if got, is := of[made]; !is || got != 0 {
				t.Errorf("found %v by its words, at %v by its vector; want true and 0", is, got)
			}
			others := 0
			for ref, cosine := range of {
				if ref != made && cosine > 0 {
					others++
				}
			}
			if others < 50 {
				t.Errorf("%d others are found by their vectors, want at least 50", others)
			}
			had := counts.of
			if embed(t, e, 0); had == 0 || counts.of != had {
				t.Errorf("%d questions, then %d, want some and no more while nothing came", had, counts.of)
			}
		})
	}
}

// Where agents asked enough, what they asked is what nothing may be near too often.
func TestNearWhatWasAsked(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) {
		c.Embedder = &countedQuestions{Embedder: llmtest.Hashed(256, 1)}
		c.Receipts = filepath.Join(t.TempDir(), "receipts.jsonl")
	})
	made := capture(t, p.Agent, nearAll)
	for i := range 99 {
		capture(t, p.Agent, fmt.Sprintf("gravel %d silt %d marl %d", i, i*7, i*13))
	}
	for i := range 60 {
		search(t, p.Agent, api.SearchRequest{Query: fmt.Sprintf("gravel %d", i)})
	}
	embed(t, p.Agent, 0)
	for _, r := range search(t, p.Agent, api.SearchRequest{Query: "who is the one", Explain: true}).Results {
		if r.Ref == made && r.Why != nil && r.Why.Cosine > 0 {
			return
		}
	}
	t.Error("what is near no question that was asked is kept back")
}

// countedQuestions is a model within that counts the questions that are embedded together.
type countedQuestions struct {
	llm.Embedder
	of int
}

func (c *countedQuestions) Embed(ctx context.Context, p llm.Purpose, texts ...string) ([][]float32, error) {
	if p == llm.Query && len(texts) > 1 {
		c.of += len(texts)
	}
	return c.Embedder.Embed(ctx, p, texts...)
}

func (c *countedQuestions) Unrelated() float64 { return -0.1 }
