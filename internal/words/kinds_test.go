package words

import "testing"

func TestKindsOfTerms(t *testing.T) {
	for text, want := range map[string][2]bool{ // of time, of number
		"yesterday": {true, false}, "Tuesday": {true, false}, "weeks": {true, false}, "October": {true, false},
		"2023": {true, true}, "1850": {false, true}, "12": {false, true}, "seven": {false, true}, "twice": {false, true},
		"may": {false, false}, "second": {false, false}, "house": {false, false}, "v2": {false, false},
	} {
		terms := Terms(text)
		if got := [2]bool{OfTime(terms[0]), OfNumber(terms[0])}; got != want {
			t.Errorf("%s: of time and number %v, want %v", text, got, want)
		}
	}
	if OfTime("") || OfNumber("") {
		t.Error("nothing is a word of time or number")
	}
}
