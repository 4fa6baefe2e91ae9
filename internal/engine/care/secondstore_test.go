package care_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// The project's store and the person's own are read together, and results say
// where they stand.
func TestTheSecondStoreIsNamed(t *testing.T) {
	own := newPeople(t) // the person's own store
	theirs := capture(t, own.Agent, "the harbour on the user's store")
	project := filepath.Join(t.TempDir(), "project.db")
	c := own.ConfigOf(memory.OriginAgent)
	c.SecondStore = own.Path
	both := open(t, project, c)
	here := capture(t, both, "the harbour on the project's store")

	r := search(t, both, api.SearchRequest{Query: "harbour store"})
	wantRefs(t, "both", r, here, theirs)
	for _, one := range r.Results {
		if want := map[string]string{here: "project", theirs: "user"}[one.Ref]; one.Store != want {
			t.Errorf("%s is in store %q, want %q", one.Ref[:12], one.Store, want)
		}
	}
	// what was written went to the nearest, and only there
	wantRefs(t, "the user's alone", search(t, own.Agent, api.SearchRequest{Query: "harbour"}), theirs)
	alone := open(t, project, own.ConfigOf(memory.OriginAgent))
	r = search(t, alone, api.SearchRequest{Query: "harbour"})
	wantRefs(t, "the project's alone", r, here)
	if r.Results[0].Store != "" {
		t.Errorf("alone it is in store %q, want none", r.Results[0].Store)
	}
	// a conclusion from both is found with both
	belief := consolidate(t, both, "ships are welcome", here, theirs)
	r = search(t, both, api.SearchRequest{Query: "welcome ships", All: true})
	wantRefs(t, "along the graph", r, belief, here, theirs)
	page, err := both.Context(t.Context(), api.ContextRequest{Query: "harbour"})
	if err != nil {
		t.Fatal(err)
	}
	stores := make(map[string]string)
	for _, s := range readPage(t, page).Sections {
		for _, e := range s.Entries {
			stores[e.Ref] = e.Store
		}
	}
	for ref, want := range map[string]string{here: "project", theirs: "user"} {
		if got := stores[ref[:len("raw:")+8]]; got != want {
			t.Errorf("the pack shows %s in store %q, want %q", ref[:12], got, want)
		}
	}
}

// What is said of a memory goes where the memory is.
func TestAClaimGoesToTheStoreOfItsMemory(t *testing.T) {
	own := newPeople(t)
	theirs, wrong := add(t, own.Agent, "belief", "the harbour is open"), add(t, own.Agent, "belief", "the harbour is shut")
	old := add(t, own.Agent, "belief", "the harbour has one pier")
	project := filepath.Join(t.TempDir(), "project.db")
	c := own.ConfigOf(memory.OriginOwner)
	c.SecondStore = own.Path
	both := open(t, project, c)
	here := add(t, both, "belief", "the harbour is far")
	approve(t, both, theirs)
	approve(t, both, here)
	reject(t, both, "it is open", wrong)
	if v := verify(t, both, theirs); v.VerificationCount != 1 {
		t.Errorf("verified %d times, want 1", v.VerificationCount)
	}
	next := revise(t, both, old, "the harbour has two piers")

	r := search(t, own.Agent, api.SearchRequest{Query: "harbour"})
	wantRefs(t, "the user's alone", r, theirs, next)
	if got := found(r, theirs); got != nil && got.Tier != "observed" {
		t.Errorf("the approved one is %s in the user's store, want observed", got.Tier)
	}
	if m := show(t, own.Owner, theirs); m.VerificationCount != 1 || m.Review != "approved" {
		t.Errorf("in the user's store it is %s, verified %d times", m.Review, m.VerificationCount)
	}
	alone := open(t, project, own.ConfigOf(memory.OriginOwner))
	r = search(t, alone, api.SearchRequest{Query: "harbour"})
	wantRefs(t, "the project's alone", r, here)
	if stats, err := alone.Stats(t.Context(), api.Nothing{}); err != nil || len(stats.Claims) != 2 {
		t.Errorf("the project's store has claims %+v, %v, want its own approval and the keys", stats.Claims, err)
	}
}

// A store beside that is not there is no error, and is not made.
func TestASecondStoreThatIsNotThereIsIgnored(t *testing.T) {
	dir := t.TempDir()
	for _, second := range []string{filepath.Join(dir, "user.db"), "sqlite:" + filepath.Join(dir, "other", "user.db")} {
		p := newPeople(t, func(c *engine.Config) { c.SecondStore = second })
		raw := capture(t, p.Agent, "the harbour")
		r := search(t, p.Agent, api.SearchRequest{Query: "harbour"})
		wantRefs(t, second, r, raw)
		if len(r.Results) == 1 && r.Results[0].Store != "" {
			t.Errorf("store %q, want none", r.Results[0].Store)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 0 {
		t.Errorf("%v, %v were made", files, err)
	}
	// beside itself is one store, not two
	p := newPeople(t)
	p.Config.SecondStore = p.Path
	raw := capture(t, p.Agent, "the harbour")
	if r := search(
		t, p.As(memory.OriginAgent), api.SearchRequest{Query: "harbour"},
	); !slices.Equal(refs(r), []string{raw}) || r.Results[0].Store != "" {
		t.Errorf("beside itself: %+v, want one without a store", r.Results)
	}
}
