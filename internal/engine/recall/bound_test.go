package recall

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A candidate never has a higher score than its bound, whatever is known of it without reading it.
func TestNoScoreIsAboveItsBound(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	tiers := []state.Tier{state.Grounded, state.Observed, state.Hypothesis, ""}
	rapid.Check(t, func(t *rapid.T) {
		most := trust.Most{Any: rapid.IntRange(0, 10_000).Draw(t, "any")}
		most.Imported = rapid.IntRange(0, most.Any).Draw(t, "most of imported")
		hit := store.Hit{Kind: rapid.SampledFrom([]memory.Kind{memory.KindRaw, memory.KindNote, ""}).Draw(t, "kind")}
		happened := now.Add(-time.Duration(rapid.Int64Range(-1e6, 4e8).Draw(t, "age")) * time.Second)
		score, tier := rapid.IntRange(0, most.Any).Draw(t, "score"), rapid.SampledFrom(tiers).Draw(t, "tier")
		bears := rapid.Float64Range(0.4, 1).Draw(t, "bears")
		if rapid.Bool().Draw(t, "best") {
			score, tier, bears = most.Any, state.Grounded, 1
		}
		if hit.Kind == memory.KindRaw {
			tier = ""
		}
		if rapid.Bool().Draw(t, "known") {
			later := time.Duration(rapid.Int64Range(1, 604_800).Draw(t, "later")) * time.Second
			hit.Past = index.Past{Known: true, Imported: rapid.Bool().Draw(t, "imported"), Before: happened.Add(later)}
			if hit.Past.Imported {
				score = min(score, most.Imported)
			}
		}
		c := &rank.Candidate{ID: memory.ID{1}, Relevance: rapid.Float64Range(0, 1).Draw(t, "relevance")}
		s := &searching{now: now, topTrust: most, hits: map[memory.ID]store.Hit{c.ID: hit}}
		got := rank.Score(rank.Of(c.Relevance*bears, tier, score, now.Sub(happened)))
		if bound := s.most(c); got > bound {
			t.Fatalf("%+v of tier %q, trust %d of %v: %v is above %v", hit, tier, score, happened, got, bound)
		}
	})
}
