package removal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Words of which much was made that does not hold name a few of it, and how many more there are.
func TestWordsOfMuchThatWasQuarantined(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	root := capture(t, p.Owner, "the root of all")
	for i := range 10 {
		write(t, p.Agent, api.AddRequest{
			Draft: api.Draft{Kind: "note", Text: fmt.Sprint("descendant ", i)}, From: []string{root},
		})
	}
	if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: root}); err != nil {
		t.Fatal(err)
	}
	r, err := p.Owner.Show(ctx, api.RefRequest{Ref: root})
	if err != nil {
		t.Fatal(err)
	}
	if want := "6 more, made of this, are not current"; len(r.Marks) != 6 || r.Marks[5] != want {
		t.Errorf("%d marks: %s; want 6, the last %s", len(r.Marks), strings.Join(r.Marks, "; "), want)
	}
}
