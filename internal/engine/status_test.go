package engine_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// BenchmarkStatus measures the page of a store of 100,000 records.
func BenchmarkStatus(b *testing.B) {
	e := bench(b).open(b, nil)
	for b.Loop() {
		if _, err := e.Status(b.Context(), api.Nothing{}); err != nil {
			b.Fatal(err)
		}
	}
}
