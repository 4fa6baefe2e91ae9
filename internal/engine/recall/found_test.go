package recall_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func pageFound(t testing.TB, e *engine.Engine, in engine.FoundRequest) engine.FoundReply {
	t.Helper()
	r, err := e.Found(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// counts returns the facets of a reply by name and value.
func counts(r engine.FoundReply) map[string]int {
	out := make(map[string]int)
	for _, f := range r.Facets {
		for _, v := range f.Values {
			out[f.Name+" "+v.Value] = v.Count
		}
	}
	return out
}

// exactly adds one value of a facet to a request.
func exactly(in engine.FoundRequest, facet, value string) engine.FoundRequest {
	switch facet {
	case "kind":
		in.KindIs = value
	case "tier":
		in.TierIs = value
	case "level":
		in.LevelIs = value
	case "space":
		in.SpaceIs = value
	case "tag":
		in.TagIs = append(slices.Clone(in.TagIs), value)
	case "author":
		in.Author = value
	case "time":
		in.TimeIs = value
	}
	return in
}

// Of tags that as many results have, those of the better results are listed.
func TestFacetsListTheValuesOfTheBestFirst(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for i := range 20 {
			text := fmt.Sprintf("the cache of page %d was cold after the move of the cache", i)
			if i < 10 {
				text = fmt.Sprintf("page %d: the cold cache", i)
			}
			in := api.CaptureRequest{Text: text, Meta: api.Meta{Tags: []string{fmt.Sprintf("t%02d", 20-i)}}}
			if _, err := e.Capture(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
		r := pageFound(t, e, engine.FoundRequest{
			SearchRequest: api.SearchRequest{Query: "cold cache", Kind: "raw", Limit: 50}, Facets: true,
		})
		var given []string
		for _, one := range r.Results {
			given = append(given, one.Tags...)
		}
		for _, f := range r.Facets {
			if f.Name != "tag" {
				continue
			}
			for i, v := range f.Values {
				if v.Value != given[i] {
					t.Errorf("tag %d is %s, of result %d is %s", i, v.Value, i, given[i])
				}
			}
			if len(f.Values)+f.Others != 20 {
				t.Errorf("%d tags and %d others", len(f.Values), f.Others)
			}
		}
	})
}

// Each count of a facet is how many results its value gives, also beside other filters and values: tags with commas,
// captures that yield their line, what is hidden, and other spaces.
func TestFacetsCountWhatTheirFiltersGive(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		in := func(space string) *engine.Engine {
			e, err := e.As(engine.Caller{Origin: memory.OriginOwner, Space: space})
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		tags := [][]string{nil, {"even"}, {"a,b", "even"}, {"Even"}, {"a,b", "a"}}
		for i := range 30 {
			at := in([]string{"", "work"}[i%5/4])
			capture := api.CaptureRequest{
				Text: fmt.Sprintf("the cache of page %d was cold", i), Meta: api.Meta{Tags: tags[i%5]},
				OccurredAt: fmt.Sprintf("202%d-0%d-11T23:30:00Z", i%4, 1+i%3),
			}
			raw, err := at.Capture(t.Context(), capture)
			if err != nil {
				t.Fatal(err)
			}
			add := api.AddRequest{
				Draft: api.Draft{Kind: []string{"note", "belief", "belief"}[i%3], Text: fmt.Sprintf("cache %d is needed", i)},
				Meta:  api.Meta{Tags: tags[(i+i/5)%5]},
			}
			if i%2 == 0 {
				add.From = []string{raw.Ref}
			}
			made, err := at.Add(t.Context(), add)
			if err == nil && i%7 == 0 {
				_, err = at.Reject(t.Context(), api.DecideRequest{Refs: []string{made.Ref}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		every := in("*")
		for _, base := range []engine.FoundRequest{
			{}, {SearchRequest: api.SearchRequest{Query: "cache"}},
			{SearchRequest: api.SearchRequest{Query: "cold page", All: true}},
			{SearchRequest: api.SearchRequest{Tag: "even"}},
			{SearchRequest: api.SearchRequest{Query: "cold", Since: "2021-06-01"}},
			{Exactly: engine.Exactly{TagIs: []string{"even"}}}, exactly(engine.FoundRequest{}, "kind", "belief"),
		} {
			base.Facets, base.Limit = true, 7
			all := pageFound(t, every, base)
			if len(all.Results) != min(7, all.Total) || all.More != (all.Total > 7) || all.Bounded || all.Total == 0 {
				t.Fatalf("%+v: %d of %d results, more %v", base, len(all.Results), all.Total, all.More)
			}
			for name, want := range counts(all) {
				facet, value, _ := strings.Cut(name, " ")
				in := exactly(base, facet, value)
				in.Limit = 1000
				got := pageFound(t, every, in)
				if got.Total != want || len(got.Results) != want {
					t.Errorf("%+v: %s counts %d, and its filter gives %d", base, name, want, len(got.Results))
				}
			}
		}
		if n := counts(pageFound(t, every, engine.FoundRequest{Facets: true})); n["space work"] == 0 || n["tag a,b"] == 0 {
			t.Errorf("not counted: %v", n)
		}
	})
}

// Words that yield their line to the memory made of them are given to who asks for raws, so they are counted there.
func TestTheRawFacetCountsWordsThatYieldTheirLine(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raws := 0
		for i := range 6 {
			text := fmt.Sprintf("the cache of page %d was cold", i)
			raw := capture(t, e, text)
			raws++
			if i%2 == 0 {
				in := api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}, From: []string{raw}}
				if _, err := e.Add(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, query := range []string{"cache", "cold page"} {
			all := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query}, Facets: true})
			in := engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query, Kind: "raw"}, Facets: true}
			only := pageFound(t, e, in)
			if all.Total != raws || only.Total != raws || counts(all)["kind raw"] != raws || counts(only)["kind raw"] != raws {
				t.Errorf("%q: %d results, its filter gives %d, counted %d and %d, want %d", query, all.Total, only.Total,
					counts(all)["kind raw"], counts(only)["kind raw"], raws)
			}
			raw := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query},
				Exactly: engine.Exactly{KindIs: "raw"}})
			if len(raw.Results) != raws {
				t.Errorf("%q: the value gives %d, want %d", query, len(raw.Results), raws)
			}
			in.Kind, in.Author = "", "nobody"
			if none := pageFound(t, e, in); len(none.Facets) > 0 {
				t.Errorf("%q: of an author who wrote nothing %v", query, none.Facets)
			}
		}
	})
}

// Without words, what the filters select is listed, the newest first, and nothing hidden.
func TestFoundListsTheNewest(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		old := add(t, e, "belief", "the first")
		gone := add(t, e, "belief", "the second")
		revised := revise(t, e, gone, "the second, corrected")
		r := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Kind: "belief"}})
		if len(r.Results) != 2 || r.Results[0].Ref != revised || r.Results[1].Ref != old || r.More {
			t.Errorf("listed %v", r.Results)
		}
		r = pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Kind: "belief", All: true}})
		if len(r.Results) != 3 {
			t.Errorf("with hidden ones %d", len(r.Results))
		}
		r = pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Limit: 1}})
		if !r.More || len(r.Results) != 1 {
			t.Errorf("one of several: %d, more %v", len(r.Results), r.More)
		}
	})
}

// Pieces join to the text, and every second one matches.
func TestFoundMarksWhatMatches(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	add(t, e, "belief", "Caching the orders page: 数据库很慢, <b>caches</b> and loadCaches")
	for query, want := range map[string]string{
		"cache": "|Caching| the orders page: 数据库很慢, <b>|caches|</b> and |loadCaches|",
		"数据":    "Caching the orders page: |数据|库很慢, <b>caches</b> and loadCaches",
	} {
		r := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query}})
		if len(r.Results) != 1 {
			t.Fatalf("%s: %d results", query, len(r.Results))
		}
		got := ""
		for i, p := range r.Results[0].Pieces {
			if i > 0 {
				got += "|"
			}
			got += p
		}
		if got != want {
			t.Errorf("%s: got  %s\nwant %s", query, got, want)
		}
	}
}

func TestFoundRefuses(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for _, in := range []api.SearchRequest{{Limit: -1}, {Limit: 1001}, {Kind: "x"}, {Since: "yore"}, {Tier: "x"}} {
		if _, err := e.Found(t.Context(), engine.FoundRequest{SearchRequest: in}); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if _, err := e.Found(t.Context(), exactly(engine.FoundRequest{}, "time", "yore")); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("a time that is none: %v", err)
	}
	if r := pageFound(t, e, engine.FoundRequest{Facets: true}); r.Results == nil || len(r.Results) != 0 || r.Total != 0 {
		t.Errorf("an empty store: %+v", r)
	}
}

// An agent of somebody else that has the name of one's own is not counted as that.
func TestAStrangersAgentIsNoneOfOnes(t *testing.T) {
	p, other := newPeople(t), newPeople(t)
	named := func(who *people) *engine.Engine {
		return who.As(memory.OriginAgent, func(c *engine.Config) { c.Agent = "planner" })
	}
	mine, theirs := add(t, named(p), "note", "ours"), add(t, named(other), "note", "theirs")
	carry(t, other.Owner, p.Owner)
	every := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = "*" })
	r := pageFound(t, every, engine.FoundRequest{Facets: true})
	want := map[string]string{mine: "agent planner", theirs: "agent planner of " + show(t, p.Owner, theirs).Author}
	for _, one := range r.Results {
		if one.Author != want[one.Ref] {
			t.Errorf("%s is by %q, want %q", one.Ref, one.Author, want[one.Ref])
		}
	}
	if n := counts(r); len(r.Results) != 2 || n["author agent planner"] != 1 {
		t.Errorf("%d results, counted %v", len(r.Results), n)
	}
}
