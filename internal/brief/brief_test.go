package brief_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
)

// A constraint that binds keeps its marks in a short answer; that it was approved is the ordinary case.
func TestConstraintsKeepTheirMarks(t *testing.T) {
	one := api.Recalled{Code: "unknown"}
	one.Review, one.Open = "approved", []string{"update proposed by note:12345678"}
	short, _ := brief.Of(api.RecallReply{Always: []api.Recalled{one}})
	const want = "update proposed by note:12345678; its code was not found here"
	if r, ok := short.(brief.Recall); !ok || r.Always[0].Mark != want {
		t.Errorf("%+v, want %q", short, want)
	}
}
