package words

import (
	"strings"
	"testing"
)

var benchTexts = []struct{ name, text string }{
	{"chat100", "Hey Caroline! I finally finished the painting we talked about last week, it's drying by the window."},
	{"plain", strings.Repeat("The committee had been discussing whether the older buildings along the river should "+
		"be restored. "+
		"Several neighbours, who remembered the flood, argued that repairing them was cheaper than moving everybody "+
		"away. ", 20)},
	{
		"code",
		strings.Repeat(
			"func (s *Store) handleUserInput(ctx context.Context, max_retries int) error { return ErrConnClosed } // "+
				"src/stores/connection.ts v1.2.3\n",
			20,
		),
	},
	{"german", strings.Repeat("Über die Brücke führt eine schöne Straße, die größer ist als früher. ", 30)},
	{"chinese", strings.Repeat("每一条记忆都能说明它从哪里来，这样我们就可以相信它。", 40)},
	{"curly", strings.Repeat("“She’s painting again,” he said — and didn’t smile… ", 40)},
}

func BenchmarkAppendTerms(b *testing.B) {
	for _, bb := range benchTexts {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = AppendTerms(dst[:0], bb.text)
			}
		})
	}
}

func BenchmarkTerms(b *testing.B) {
	b.SetBytes(int64(len(benchTexts[0].text)))
	b.ReportAllocs()
	for b.Loop() {
		Terms(benchTexts[0].text)
	}
}

func BenchmarkQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Query("When did Caroline go to the support group for painters?")
	}
}

// BenchmarkNewWords stems words that no one has met before.
func BenchmarkNewWords(b *testing.B) {
	var c stemCache
	c.seed = stems.seed
	word := []byte("aaaaaconnections")
	b.ReportAllocs()
	for b.Loop() {
		for i := 0; i < 5; i++ {
			if word[i]++; word[i] <= 'z' {
				break
			}
			word[i] = 'a'
		}
		c.stem(word)
	}
}
