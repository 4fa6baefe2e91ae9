package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// BenchmarkDecisions measures the first page of decisions among 100,000 records, of which half are memories, a third
// marks that tie what was remembered to turns, a seventh links that rules found, and 4,000 decisions; and then where
// only one in fifty of those is there, so that the page reads back to the beginning.
func BenchmarkDecisions(b *testing.B) {
	for _, every := range []int{25, 1250} {
		b.Run(fmt.Sprintf("one in %d", every), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "memory.db")
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			c := engine.Config{
				Origin: memory.OriginOwner, Now: func() time.Time { return now }, KeyDir: filepath.Join(b.TempDir(), "keys"),
			}
			e := open(b, path, c)
			capture(b, e, "the first, which makes the keys")
			decided := fillDecided(b, e, 100_000, every, &now)
			want := min(decided, 50)
			var first, all []time.Duration
			for b.Loop() {
				e := open(b, path, c) // nothing is known from before
				t0 := time.Now()
				r, err := e.Decisions(b.Context(), api.DecisionsRequest{})
				first = append(first, time.Since(t0))
				if err != nil || len(r.Decisions) != want {
					b.Fatalf("%d decisions, want %d: %v", len(r.Decisions), want, err)
				}
				t0 = time.Now()
				if r, err = e.Decisions(b.Context(), api.DecisionsRequest{Limit: -1}); err != nil || len(r.Decisions) != decided {
					b.Fatalf("%d decisions of %d: %v", len(r.Decisions), decided, err)
				}
				all = append(all, time.Since(t0))
			}
			b.ReportMetric(slices.Min(first).Seconds()*1000, "ms/page")
			b.ReportMetric(slices.Min(all).Seconds()*1000, "ms/all")
		})
	}
}

// fillDecided writes n records, a thousand an hour, of which one in so many is a decision, and returns how many those
// are.
func fillDecided(b *testing.B, e *engine.Engine, n, every int, now *time.Time) (decided int) {
	b.Helper()
	const hourly = 1000
	var batch []*memory.Record
	var last, before memory.Ref
	for i := range n {
		h := memory.Header{
			At: memory.At(*now), Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "add"},
		}
		var body memory.Body
		switch {
		case i > 1 && i%every == 0:
			decided++
			h.Provenance.Context = memory.Approve
			body = &memory.Mark{Of: &last, Verb: memory.Approve, Reason: "it is so"}
		case i > 1 && i%7 == 0:
			h.Provenance.Context = "detect"
			body = &memory.Link{Source: before, Target: last, Relation: memory.Extend, Detector: "rules"}
		case i > 1 && i%3 == 0:
			body = &memory.Mark{Of: &last, Verb: "said_in"}
		default:
			body = &memory.Belief{Statement: fmt.Sprintf("what is known as number %d", i)}
		}
		r, err := e.Sign(h, body)
		if err != nil {
			b.Fatal(err)
		}
		if r.Header.Kind == memory.KindBelief {
			before, last = last, r.Ref()
		}
		if batch = append(batch, r); len(batch) == hourly || i == n-1 {
			if err := e.Append(b.Context(), store.Batch{Records: batch}); err != nil {
				b.Fatal(err)
			}
			batch, *now = batch[:0], now.Add(time.Hour)
		}
	}
	return decided
}
