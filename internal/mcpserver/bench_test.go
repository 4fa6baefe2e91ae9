package mcpserver

import (
	"testing"
)

// Making a server is most of what a process does before it answers.
func BenchmarkServer(b *testing.B) {
	for _, size := range []string{Core, Full} {
		b.Run(size, func(b *testing.B) {
			for b.Loop() {
				if _, err := server(Options{Tools: size}, nil); err != nil {
					b.Fatal(err)
				}
				if _, err := listed(size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
