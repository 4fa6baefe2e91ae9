package core_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// worked is one person's store as it is read in two projects, outside any, and in the space of an earlier version.
type worked struct {
	*people
	a, b, out, main *engine.Engine
}

func newWorked(t *testing.T, o memory.Origin, change ...func(*engine.Config)) worked {
	t.Helper()
	p := newPeople(t, change...)
	in := func(space string, at *engine.Place) *engine.Engine {
		return p.As(o, func(c *engine.Config) { c.Space, c.Place = space, at })
	}
	return worked{
		p, in("a-1", &engine.Place{Here: "a-1"}), in("b-2", &engine.Place{Here: "b-2"}),
		in(engine.MeSpace, &engine.Place{}), in("main", nil),
	}
}

// wantCurrent compares what list, search and start give as current with what should be, by the figures that they say.
func wantCurrent(t *testing.T, where string, e *engine.Engine, want ...string) {
	t.Helper()
	var got []string
	figure := func(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
	for _, m := range currentIn(t, e) {
		got = append(got, figure(cmp.Or(m.Text, m.Headline)))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s: list gives %v, want %v", where, got, want)
	}
	got = nil
	for _, r := range search(t, e, api.SearchRequest{Query: "staging server port", Kind: "belief"}).Results {
		m, err := e.Show(t.Context(), api.RefRequest{Ref: r.Ref})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, figure(cmp.Or(m.Text, m.Headline)))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s: search gives %v, want %v", where, got, want)
	}
	pack, err := e.Load(t.Context(), api.LoadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := pack.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{"8080", "9090", "9191", "7000"} {
		if says := strings.Contains(string(raw), "port "+one+"\""); says != slices.Contains(want, one) {
			t.Errorf("%s: start says %s: %v\n%s", where, one, says, raw)
		}
	}
}

const staging = "The staging server listens on port "

// A memory of no project yields only within the project that replaced it, whoever says so and by whatever act.
func TestYieldsOnlyInTheProjectThatReplacedIt(t *testing.T) {
	t.Parallel()
	for _, o := range []memory.Origin{memory.OriginOwner, memory.OriginAgent} {
		for _, act := range []string{"text", "by", "revise", "replaces"} {
			t.Run(string(o)+" "+act, func(t *testing.T) {
				t.Parallel()
				w := newWorked(t, o)
				old := add(t, w.main, "belief", staging+"8080")
				for _, e := range []*engine.Engine{w.a, w.b, w.out} {
					wantCurrent(t, "before", e, "8080")
				}
				now := ""
				switch act {
				case "text":
					now = correct(t, w.a, api.CorrectRequest{Ref: old, Text: staging + "9090"}).Ref
				case "by":
					now = add(t, w.a, "belief", staging+"9090")
					correct(t, w.a, api.CorrectRequest{Ref: old, By: now})
				case "revise":
					now = revise(t, w.a, old, staging+"9090")
				case "replaces":
					r, err := w.a.Remember(t.Context(), api.RememberRequest{Text: staging + "9090", Replaces: []string{old}})
					if err != nil {
						t.Fatal(err)
					}
					now = r.Ref
				}
				wantCurrent(t, "a", w.a, "9090")
				wantCurrent(t, "b", w.b, "8080")
				wantCurrent(t, "outside", w.out, "8080")
				wantCurrent(t, "main", w.main, "8080")
				for _, e := range []*engine.Engine{w.b, w.out} {
					m, err := e.Show(t.Context(), api.RefRequest{Ref: old})
					if err != nil || m.SupersededBy != "" || !slices.Equal(m.Marks, []string{"of no project"}) {
						t.Errorf("elsewhere it is %q, marked %v, %v", m.SupersededBy, m.Marks, err)
					}
				}
				correct(t, w.b, api.CorrectRequest{Ref: old, Text: staging + "7000"})
				if strings.HasPrefix(now, "belief:") {
					correct(t, w.a, api.CorrectRequest{Ref: now, Text: staging + "9191"})
					wantCurrent(t, "a, twice", w.a, "9191")
				}
				wantCurrent(t, "b, otherwise", w.b, "7000")
				wantCurrent(t, "outside still", w.out, "8080")
			})
		}
	}
}

// What is undone in a project comes back there; what a person says in no project holds everywhere.
func TestWhatIsSaidOfNoProjectHoldsEverywhere(t *testing.T) {
	t.Parallel()
	for _, o := range []memory.Origin{memory.OriginOwner, memory.OriginAgent} {
		w := newWorked(t, o)
		old := add(t, w.main, "belief", staging+"8080")
		before := w.Config.Now()
		correct(t, w.a, api.CorrectRequest{Ref: old, Text: staging + "9090"})
		wantCurrent(t, "a", w.a, "9090")
		then, err := w.a.Search(t.Context(), api.SearchRequest{
			Query: "staging", AsOf: memory.At(before).String(), Kind: "belief",
		})
		if err != nil || len(then.Results) != 1 || then.Results[0].Ref != old {
			t.Errorf("before the correction: %+v, %v, want %s", then.Results, err, old)
		}
		if _, err := w.a.Undo(t.Context(), api.UndoRequest{}); err != nil {
			t.Fatal(err)
		}
		wantCurrent(t, "a, undone", w.a, "8080")
		correct(t, w.a, api.CorrectRequest{Ref: old, Text: staging + "9191"})
		wantCurrent(t, "a, again", w.a, "9191")
		if _, err := w.main.Forget(t.Context(), api.ForgetRequest{Refs: []string{old}, Reason: "gone"}); err != nil {
			t.Fatal(err)
		}
		wantCurrent(t, "a, forgotten", w.a, "9191")
		wantCurrent(t, "b, forgotten", w.b)
		wantCurrent(t, "outside, forgotten", w.out)
	}
}
