package secrets

import (
	"math/rand/v2"
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
