package minilm

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

// words returns a text of so many tokens, the two at its ends included.
func words(tokens int) string {
	some := strings.Fields("the queue keeps a message until its lease ends and then another worker takes it up again")
	var text []string
	for i := range tokens - 2 {
		text = append(text, some[i%len(some)])
	}
	return strings.Join(text, " ")
}

func BenchmarkEmbed(b *testing.B) {
	e := New()
	for _, tokens := range []int{13, 62, 256} {
		text := words(tokens)
		b.Run(strconv.Itoa(tokens)+" tokens", func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Embed(b.Context(), llm.Document, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
