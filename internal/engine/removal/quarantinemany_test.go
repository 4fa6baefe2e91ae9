//go:build !race

package removal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/memory"
)

// A source of more records than one mark names is hidden, and comes back, as a whole;
// each quarantine is lifted by itself.
func TestAGreatSourceIsHiddenWhole(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	const many = memory.MaxSources + 50
	var lines strings.Builder
	for i := range many {
		fmt.Fprintf(&lines, `{"id":"%d","text":"the page says that weir %d is open"}`+"\n", i, i)
	}
	seq, err := importers.JSONL(strings.NewReader(lines.String()), "page")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Ingest(ctx, seq, nil); err != nil {
		t.Fatal(err)
	}
	ask := api.SearchRequest{Query: "weir open", Limit: 1000}
	one := refs(search(t, p.Owner, ask))[0]
	if r, err := p.Owner.Quarantine(
		ctx, api.QuarantineRequest{Target: one, Reason: "doubted by itself"},
	); err != nil || r.Count != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	r, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: "source:jsonl:page"})
	if err != nil || r.Count != many-1 || len(r.Claims) != 2 || len(r.Records) != 1000 {
		t.Errorf("hidden: %d in %d marks, %d named, %v", r.Count, len(r.Claims), len(r.Records), err)
	}
	wantRefs(t, "hidden", search(t, p.Owner, ask))
	back, err := p.Owner.Release(ctx, api.QuarantineRequest{Target: "source:jsonl:page"})
	if err != nil || back.Count != many-1 {
		t.Errorf("back: %d, %v, want %d", back.Count, err, many-1)
	}
	if m := show(t, p.Owner, one); m.Hidden != "quarantined" {
		t.Errorf("what was hidden for itself is %q", m.Hidden)
	}
}
