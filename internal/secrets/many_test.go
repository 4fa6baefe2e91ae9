//go:build !race

package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Pieces of secrets in any order come closer to the seams than what a fuzzer makes of whole ones.
func TestPiecesInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	samples := corpus(11, append(fortyKinds[:40:40], moreKinds...), 200)
	glue := []string{
		"", "", "", " ", "\n", "=", ":", "[", "]", "\x00", "ü", "\xff", "key=", "password: ", "[REDACTED:",
		"[REDACTED:jwt]", ".", "-", "'", `\n`,
	}
	for range 3000 {
		var b strings.Builder
		for range 2 + r.IntN(6) {
			s := samples[r.IntN(len(samples))]
			text := s.secret
			switch r.IntN(4) {
			case 0:
				text = s.text
			case 1:
				text = text[:r.IntN(len(text)+1)]
			case 2:
				text = text[r.IntN(len(text)+1):]
			}
			b.WriteString(text + glue[r.IntN(len(glue))])
		}
		text := []byte(b.String() + "x")
		for range r.IntN(3) {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
		if wrong := checkRedact(string(text)); wrong != "" {
			t.Fatalf("%q: %s", text, wrong)
		}
	}
}

func TestNoTextTakesLong(t *testing.T) {
	for _, text := range repeated(rand.New(rand.NewPCG(4, 4))) {
		s := scanner{text: []byte(text), rules: theRules()}
		s.all()
		if got, want := s.spent, 2*patience*len(text)+leisure+unlimited; got > want {
			t.Errorf("%q…: %d bytes of %d are read in vain, want at most %d", text[:40], got, len(text), want)
		}
		began := time.Now()
		redacted, _ := Redact(text)
		if got := time.Since(began); got > hostileTime {
			t.Errorf("%q… took %v, want at most %v", text[:40], got, hostileTime)
		}
		if got := Find(redacted); len(got) > 0 {
			t.Errorf("%q… redacted still holds %v", text[:40], got[0])
		}
	}
}
