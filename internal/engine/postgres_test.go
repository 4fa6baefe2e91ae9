package engine_test

import (
	"os"
	"testing"
)

// TestMain removes what benchmarks keep for each other.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range afterAll {
		f()
	}
	os.Exit(code)
}
