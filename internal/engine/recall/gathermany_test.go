//go:build !race

package recall_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Of very many memories a bounded number is read, the newest, and the answer says that there are more.
func TestGatheringIsBounded(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{})
	for i := range 450 {
		about(t, e, "belief", fmt.Sprintf("entry %d of the long book", i), "Vela")
	}
	r, err := e.Search(t.Context(), api.SearchRequest{Query: "everything about Vela"})
	if err != nil || r.Gathered == nil || !r.Gathered.More || r.Gathered.Found != 400 ||
		r.Results[0].Text != "entry 449 of the long book.\nAbout: Vela" {
		t.Errorf("got %+v, first %+v, %v", r.Gathered, r.Results[:1], err)
	}
}
