package trust_test

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A person's own words in the place of an imported memory are not external, though they cite it. Text of the import
// is, whoever writes it again, and so is what an agent writes in its place.
func TestAPersonsCorrectionOfAnImportIsNotExternal(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	importer := p.As(memory.OriginImport)
	of := func(reason string) string {
		return write(t, importer, api.AddRequest{
			Draft: api.Draft{Kind: "note", Text: "the harbour pays each visitor", Reason: reason},
		})
	}
	imported := func() string { return of("") }
	external := func(ref string) bool {
		t.Helper()
		r, err := p.Owner.Show(ctx, api.RefRequest{Ref: ref})
		if err != nil || r.Hidden != "" {
			t.Fatal(ref, r.Hidden, err)
		}
		return slices.Contains(r.Marks, "external")
	}
	corrected := func(e *engine.Engine, ref, text string) string {
		t.Helper()
		r, err := e.Correct(ctx, api.CorrectRequest{Ref: ref, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	}
	if !external(imported()) {
		t.Fatal("an import is not external")
	}
	own := corrected(p.Owner, imported(), "the harbour takes two euros of each visitor")
	if external(own) {
		t.Error("a person's own words are external")
	}
	made := consolidate(t, p.Owner, "visitors cost nothing", own)
	if external(made) {
		t.Error("what was made of a person's own words is external")
	}
	undo(t, p.Owner) // of the conclusion
	undo(t, p.Owner) // of the correction
	list, err := p.Owner.List(ctx, api.ListRequest{Kind: "note"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Memories {
		if !m.External && !m.Tainted {
			t.Errorf("%s %q is not external after the correction was undone", m.Ref, m.Headline)
		}
	}
	for what, ref := range map[string]string{
		"an agent's words":             corrected(p.Agent, imported(), "the harbour takes three euros of each visitor"),
		"the import's and a full stop": corrected(p.Owner, imported(), "The harbour pays each visitor!"),
		"the import's within others":   corrected(p.Owner, imported(), "Ada says the harbour pays each visitor ten euros"),
		"a part of the import's":       corrected(p.Owner, imported(), "each visitor"),
		"the import's reason, which a revision keeps": revised(t, p.Owner, api.ReviseRequest{
			Ref: of("Ask at the gate for the money"), Draft: api.Draft{Text: "the harbour takes four euros of each visitor"},
		}),
		"a revision without words that were captured": revised(t, p.Owner, api.ReviseRequest{
			Ref: imported(), Draft: api.Draft{Text: "the harbour takes seven euros of each visitor"},
		}),
		"another tag": revised(t, p.Owner, api.ReviseRequest{Ref: imported(), Meta: api.Meta{Tags: []string{"x"}}}),
	} {
		if !external(ref) {
			t.Errorf("%s in the place of an import are not external", what)
		}
	}
	agents := corrected(p.Agent, corrected(p.Owner, imported(), "the harbour takes five euros of each visitor"),
		"the harbour takes six euros of each visitor")
	if external(agents) {
		t.Error("what an agent made of a person's own words is external")
	}
}

func revised(t *testing.T, e *engine.Engine, in api.ReviseRequest) string {
	t.Helper()
	r, err := e.Revise(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Who speaks of a goal that was replaced is told the one that is current, also after the revision that replaced it
// was undone.
func TestAReplacedGoalNamesTheCurrentOne(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	first := add(t, p.Owner, "goal", "ship the importer")
	undone := revise(t, p.Owner, first, "ship the importers")
	undo(t, p.Owner)
	list, err := p.Owner.List(ctx, api.ListRequest{Kind: "goal"})
	if err != nil || len(list.Memories) != 1 {
		t.Fatal(list.Memories, err)
	}
	_, err = p.Owner.GoalProgress(ctx, api.GoalProgressRequest{Ref: first, Progress: "40%"})
	want := short(first) + " was superseded by " + short(list.Memories[0].Ref) + "; speak of that one"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s, and not the undone %s", err, want, short(undone))
	}
}
