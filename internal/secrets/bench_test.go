package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// prose is what a capture is like in the middle: 300 bytes of talk with names of keys in it.
const prose = `The access key for the staging host moved; see the notes in docs/keys.md. We rotate api credentials
every week, and the author of the change is on call until Friday, so ask there first before touching the database or
its backups. The token bucket holds 100 tokens. They said it is done; this works.`

// mebibyte is lines of code, talk and identifiers.
func mebibyte() string {
	r := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	for b.Len() < 1<<20 {
		b.WriteString(filled(r, harmless[r.IntN(len(harmless))]) + "\n" + prose + "\n")
	}
	return b.String()[:1<<20]
}

func BenchmarkFind(b *testing.B) {
	samples := corpus(1, fortyKinds, 220)
	var secret strings.Builder
	for secret.Len() < 1<<20 {
		for _, s := range samples {
			secret.WriteString(s.text + "\n")
		}
	}
	for _, bm := range []struct{ name, text string }{
		{"prose of 300 bytes", prose},
		{"one secret", samples[3].text},
		{"mebibyte", mebibyte()},
		{"mebibyte of secrets", secret.String()[:1<<20]},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			for b.Loop() {
				Find(bm.text)
			}
		})
	}
}

// BenchmarkRead is what the first text of a process waits for.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		readRules()
	}
}
