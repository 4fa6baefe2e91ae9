package evolve

import "testing"

// A dot behind an abbreviation or an ordinal number parts nothing, and one behind a short word does.
func TestAClauseEndsWithItsSentence(t *testing.T) {
	for text, want := range map[string]int{
		"The talk with Prof. Smith is at ten":     0,
		"Das Treffen ist am 31. Januar":           0,
		"The service is in Go. The page is small": 1,
		"It works. It is fast":                    1,
	} {
		r := &reading{said: map[string]int8{}}
		r.split(text)
		if got := r.tokens[len(r.tokens)-1].clause; got != want {
			t.Errorf("%q has %d ends of clauses, want %d", text, got, want)
		}
	}
}
