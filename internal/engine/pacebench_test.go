//go:build unix

package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// BenchmarkImportPace measures by processor time how fast each tenth of one import is, as a
// ratio of the first: 1,000,000 records with STEMMA_LONG, else 50,000.
func BenchmarkImportPace(b *testing.B) {
	n := 50_000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 1_000_000
	}
	const parts = 10
	for b.Loop() {
		dir := b.TempDir()
		e := open(b, filepath.Join(dir, "memory.db"), engine.Config{
			KeyDir: filepath.Join(dir, "keys"), Data: filepath.Join(dir, "data"), Now: time.Now, Origin: memory.OriginOwner,
		})
		var took []time.Duration
		last, began := processor(b), time.Now()
		_, err := e.Ingest(b.Context(), conversation(n), func(done int) {
			if done*parts/n > len(took) {
				now := processor(b)
				took, last = append(took, now-last), now
			}
		})
		if err != nil || len(took) != parts {
			b.Fatal(len(took), err)
		}
		perSecond := func(d time.Duration) float64 { return float64(n/parts) / d.Seconds() }
		b.ReportMetric(float64(n)/time.Since(began).Seconds(), "records/s")
		b.ReportMetric(perSecond(took[0]), "first/cpu_s")
		b.ReportMetric(perSecond(took[parts-1]), "last/cpu_s")
		for i := 1; i < parts; i++ {
			b.ReportMetric(perSecond(took[i])/perSecond(took[0]), fmt.Sprintf("x_%d0%%", i+1))
		}
	}
}

// processor is how long the processors worked for this process.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
