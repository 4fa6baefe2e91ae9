package index

import (
	"fmt"
	"testing"
)

func BenchmarkOpen(b *testing.B) {
	part := Build(numbered(60000, func(i int) string { return fmt.Sprintf("a%d b c d", i%100) }))[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(part); err != nil {
			b.Fatal(err)
		}
	}
}
