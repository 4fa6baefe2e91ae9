package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A correction does not keep the reason of what it corrects: Ada said Fridays, and did not say Tuesdays.
func TestACorrectionHasItsOwnReason(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"note", "belief", "episode"} {
		e := open(t, "mem", engine.Config{})
		in := api.AddRequest{Draft: api.Draft{Kind: kind, Text: "We deploy on Fridays"}}
		in.Trigger = "Ada said so"
		if kind == "note" {
			in.Reason, in.Trigger = "Ada said so", ""
		}
		old := write(t, e, in)
		for _, why := range []string{"", "Bea found it in the calendar"} {
			r, err := e.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "We deploy on Tuesdays " + why, Why: why})
			if err != nil {
				t.Fatal(err)
			}
			old = r.Ref
			got, err := e.Recall(t.Context(), api.RecallRequest{Query: "when do we deploy"})
			if err != nil || len(got.Results) == 0 {
				t.Fatalf("%s: %v, %+v", kind, err, got)
			}
			if text := got.Results[0].Text; strings.Contains(text, "Ada") || !strings.Contains(text, why) {
				t.Errorf("%s corrected with the reason %q is given as %q", kind, why, text)
			}
		}
	}
}
