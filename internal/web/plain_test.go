package web

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Each mark of a result stands in the page without a script.
func TestMarksOfPlain(t *testing.T) {
	got := resultWords(&api.Result{
		Hidden: "rejected", Doubt: "withheld", Disputed: true, Unverified: true, External: true, Until: "2026-01-02",
		Weak: true, Open: []string{"contradicts belief:1"}, Marks: []string{"belief:2, made of this, is quarantined"},
		Tier: "inferred", Trust: 0.3, Level: "attested", Confidence: 0.5,
	})
	want := "rejected · withheld · disputed · unverified · external · held until 2026-01-02 · weak · " +
		"contradicts belief:1, undecided · belief:2, made of this, is quarantined · inferred · " +
		"trust 0.30 attested · confidence 0.50"
	if got != want {
		t.Errorf("got  %q, want %q", got, want)
	}
}
