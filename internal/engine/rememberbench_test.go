package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
)

// BenchmarkRemember measures, turn by turn in one run, a durable remember beside a
// bare capture (x_capture), and beside one whose model is down while a worker tries
// it again and again (x_down and its 99th percentile, x_down_p99).
func BenchmarkRemember(b *testing.B) {
	dir := b.TempDir()
	at := func(name string, c engine.Config) *engine.Engine {
		e := open(b, filepath.Join(dir, name, "memory.db"), c)
		capture(b, e, "the first, which makes the keys")
		return e
	}
	bare, plain := at("bare", engine.Config{}), at("plain", engine.Config{})
	down := at("down", engine.Config{
		LLM: sim.Generator{Faults: map[sim.Fault]float64{sim.Timeout: 1}}, Bounds: llm.Bounds{
			Timeout: 50 * time.Millisecond, Tries: 1, Failures: 1 << 30,
		},
	})
	stop := make(chan struct{})
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = down.RunJobs(b.Context(), api.RunJobsRequest{Limit: 1, Now: true})
			}
		}
	}()
	var captures, remembers, downs []time.Duration
	for i := 0; b.Loop(); i++ {
		text := fmt.Sprintf("%s %d", hundred, i)
		t0 := time.Now()
		if _, err := bare.Capture(b.Context(), api.CaptureRequest{Text: text}); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		if _, err := plain.Remember(b.Context(), api.RememberRequest{Text: text}); err != nil {
			b.Fatal(err)
		}
		t2 := time.Now()
		if _, err := down.Remember(b.Context(), api.RememberRequest{Text: text}); err != nil {
			b.Fatal(err)
		}
		captures, remembers, downs = append(
			captures,
			t1.Sub(t0),
		), append(
			remembers,
			t2.Sub(t1),
		), append(
			downs,
			time.Since(t2),
		)
	}
	close(stop)
	<-worked
	p99 := func(d []time.Duration) time.Duration {
		d = slices.Sorted(slices.Values(d))
		return d[len(d)*99/100]
	}
	b.ReportMetric(micros(median(remembers)), "remember_µs")
	b.ReportMetric(float64(median(remembers))/float64(median(captures)), "x_capture")
	b.ReportMetric(float64(median(downs))/float64(median(remembers)), "x_down")
	b.ReportMetric(float64(p99(downs))/float64(p99(remembers)), "x_down_p99")
}
