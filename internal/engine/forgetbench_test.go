package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// BenchmarkForgetRun measures a run over 100,000 records that forgets 1,000 of them,
// with what it takes to find them among all others, which may be as old: their
// usage is asked for too. The run that follows and does nothing is measured beside
// it.
func BenchmarkForgetRun(b *testing.B) {
	specs := map[string]string{"sqlite": filepath.Join(b.TempDir(), "memory.db")}
	if dsn := os.Getenv("STEMMA_TEST_POSTGRES"); dsn != "" {
		specs["postgres"] = postgresSchema(b, dsn)
	}
	for _, name := range []string{"sqlite", "postgres"} {
		spec, ok := specs[name]
		if !ok {
			continue
		}
		b.Run(name, func(b *testing.B) {
			const all, weak = 100_000, 1_000
			c := newClock()
			e := open(b, spec, engine.Config{Now: c.Now})
			old := func(yield func(api.Foreign, error) bool) {
				for f, err := range foreigners(weak) {
					f.Alias = []string{"old " + f.Alias[0]}
					if !yield(f, err) {
						return
					}
				}
			}
			if _, err := e.Ingest(b.Context(), old, nil); err != nil {
				b.Fatal(err)
			}
			c.Ahead(100 * day)
			if _, err := e.Ingest(b.Context(), foreigners(all-weak), nil); err != nil {
				b.Fatal(err)
			}
			in := api.ForgetRunRequest{MinAge: "0d"}
			var second time.Duration
			for b.Loop() {
				r, err := e.ForgetRun(b.Context(), in)
				if err != nil || r.Count != weak {
					b.Fatalf("forgot %d, %v, want %d", r.Count, err, weak)
				}
				b.StopTimer()
				t0 := time.Now()
				if r, err = e.ForgetRun(b.Context(), in); err != nil || r.Count != 0 {
					b.Fatalf("forgot %d the second time, %v", r.Count, err)
				}
				second = time.Since(t0)
				undo(b, e)
				b.StartTimer()
			}
			b.ReportMetric(second.Seconds(), "s/second_run")
		})
	}
}
