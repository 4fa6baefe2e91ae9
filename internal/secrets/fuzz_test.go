package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkRedact says what is wrong with how a text is redacted, or "".
func checkRedact(text string) string {
	found := Find(text)
	end := 0
	for _, f := range found {
		switch {
		case f.Start < end || f.End <= f.Start || f.End > len(text):
			return "findings overlap, are empty or out of bounds"
		case !theRules().known([]byte(f.Rule)):
			return "no rule is called " + f.Rule
		}
		end = f.End
	}
	got, again := Redact(text)
	if len(again) != len(found) {
		return "Redact finds other secrets than Find"
	}
	if utf8.ValidString(text) && !utf8.ValidString(got) {
		return "valid UTF-8 is not valid any more"
	}
	if twice, left := Redact(got); twice != got {
		return "something is left: " + left[0].Rule
	}
	return ""
}

func FuzzRedact(f *testing.F) {
	for _, s := range corpus(7, append(fortyKinds[:40:40], moreKinds...), 80) {
		f.Add(s.text)
	}
	r := rand.New(rand.NewPCG(8, 8))
	for _, form := range harmless {
		f.Add(filled(r, form))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if wrong := checkRedact(text); wrong != "" {
			t.Errorf("%q: %s", text, wrong)
		}
	})
}

// Pieces of secrets in any order come closer to the seams than what a fuzzer makes of whole ones.
func TestPiecesInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	samples := corpus(11, append(fortyKinds[:40:40], moreKinds...), 200)
	glue := []string{"", "", "", " ", "\n", "=", ":", "[", "]", "\x00", "ü", "\xff", "key=", "password: ", "[REDACTED:", "[REDACTED:jwt]", ".", "-", "'", `\n`}
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
