//go:build !race

package recall_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A value of a facet finds what lies beyond the best 1,000 too.
func TestAFacetFindsWhatIsBeyondTheBest(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{})
	made := api.AddRequest{Draft: api.Draft{Kind: "note", Text: "old"}, Meta: api.Meta{Tags: []string{"a,b"}}}
	old, err := e.Add(t.Context(), made)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1001 {
		add(t, e, "belief", fmt.Sprintf("newer %d", i))
	}
	if r := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Limit: 1000}}); !r.More {
		t.Errorf("%d of 1,002, and it says that there are no more", len(r.Results))
	}
	for _, in := range []engine.Exactly{{KindIs: "note"}, {TagIs: []string{"a,b"}}} {
		r := pageFound(t, e, engine.FoundRequest{Exactly: in, Facets: true})
		if len(r.Results) != 1 || r.Results[0].Ref != old.Ref || r.Total != 1 {
			t.Errorf("%+v: %d of %d", in, len(r.Results), r.Total)
		}
	}
}
