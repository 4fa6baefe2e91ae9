package words

import (
	"testing"
	"testing/quick"
)

func TestFolded(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Alice works at Acme", "alice works at Acme.", true},
		{"  Alice  works\n at\tAcme! ", "Alice works at Acme", true},
		{"Alice works at Acme...", "Alice works at Acme", true},
		{"Alice works at Acme", "Alice works at ACME", false}, // only the first letter
		{"Alice works at Acme?", "Alice works at Acme", false},
		{"Alice works at Acme", "Alice worked at Acme", false},
		{"Ärger kommt", "ärger kommt.", true},
		{"版本是二。", "版本是二", true},
		{"!", "...", false}, // nothing is not the same as nothing
		{"", "", false},
	} {
		if got := Same(tt.a, tt.b); got != tt.same {
			t.Errorf("Same(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}

// What is folded folds to itself.
func TestFoldedTwiceIsFolded(t *testing.T) {
	twice := func(s string) bool { return Folded(Folded(s)) == Folded(s) }
	if err := quick.Check(twice, nil); err != nil {
		t.Error(err)
	}
}
