//go:build !race

package recall_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// A value of a facet finds what lies beyond the best 1,000 too.
func TestAFacetFindsWhatIsBeyondTheBest(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	e := open(t, "mem", engine.Config{KeyDir: dir})
	made := api.AddRequest{Draft: api.Draft{Kind: "note", Text: "old"}, Meta: api.Meta{Tags: []string{"a,b"}}}
	old, err := e.Add(t.Context(), made)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := keys.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := newForger(t, time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)) // many at once, as an import
	f.Key, f.Space = ring.Owner, ring.Owner.DID()+"/main"
	var newer []*memory.Record
	for i := range 1001 {
		newer = append(newer, f.Says(&memory.Belief{Type: "fact", Statement: fmt.Sprintf("newer %d", i)}))
	}
	take(t, e, newer...)
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
