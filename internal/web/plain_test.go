package web

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Each mark of a result stands in the page without a script.
func TestMarksOfPlain(t *testing.T) {
	got := resultWords(&api.Result{
		Weak: true, Marks: []string{"rejected", "unverified",
			"contradicts belief:1", "belief:2, made of this, is quarantined"},
		Tier: "inferred", Trust: 0.3, Level: "attested", Confidence: 0.5,
	})
	want := "rejected · not reviewed · contradicts belief:1 · " +
		"belief:2, made of this, is quarantined · weak · inferred · " +
		"trust 0.30 · confidence 0.50"
	if got != want {
		t.Errorf("got  %q, want %q", got, want)
	}
}
