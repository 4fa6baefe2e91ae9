package engine_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// BenchmarkRecallProofs measures a recall with its proofs against one without, turn by turn, at 100,000 records:
// x_time and x_bytes are the ratios of their medians, as the command prints them.
func BenchmarkRecallProofs(b *testing.B) {
	e := bench(b).open(b, nil)
	qs := questions()
	var took, size [2][]float64
	asked := 0
	for b.Loop() {
		for turn := range 2 {
			i := (asked + turn) % 2 // what is asked again is found faster
			proofs := i == 1
			t0 := time.Now()
			r, err := e.Recall(b.Context(), api.RecallRequest{Query: qs[asked%len(qs)], Proofs: proofs})
			if err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], micros(time.Since(t0)))
			text, err := json.MarshalIndent(r, "", "  ")
			if err != nil {
				b.Fatal(err)
			}
			if len(r.Results)+len(r.Constraints) > 0 {
				size[i] = append(size[i], float64(len(text)))
			}
		}
		asked++
	}
	middle := func(of []float64) float64 {
		slices.Sort(of)
		return of[len(of)/2]
	}
	b.ReportMetric(middle(took[0])/1000, "bare_ms")
	b.ReportMetric(middle(took[1])/middle(took[0]), "x_time")
	b.ReportMetric(middle(size[1])/middle(size[0]), "x_bytes")
}
