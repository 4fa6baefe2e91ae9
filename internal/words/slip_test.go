package words

import "testing"

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"", "ab", 2}, {"budget", "buget", 1}, {"kitten", "sitting", 3},
		{"ab", "ba", 1}, {"hsitory", "history", 1}, {"ca", "abc", 3},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestSlip(t *testing.T) {
	for _, tt := range []struct {
		word, verb string
		want       bool
	}{
		{"hsitory", "history", true}, {"list", "list", false}, {"lsit", "list", true}, {"ad", "add", true}, {"addd", "add",
			true},
		{"life", "list", false}, {"hstroy", "history", true}, {"harbour", "history", false}, {"", "add", false},
	} {
		if _, got := Slip(tt.word, tt.verb); got != tt.want {
			t.Errorf("Slip(%q, %q) = %v, want %v", tt.word, tt.verb, got, tt.want)
		}
	}
	for word, want := range map[string]int{"history": 0, "hi": 0, "hsitory": 1, "harbour": 5} {
		if got, _ := Slip(word, "history"); got != want {
			t.Errorf("Slip(%q) has %d edits, want %d", word, got, want)
		}
	}
}
