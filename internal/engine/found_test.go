package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
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

// Each count of a facet is how many results its filter gives.
func TestFacetsCountWhatTheirFiltersGive(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for i := range 30 {
			raw := capture(t, e, fmt.Sprintf("the cache of page %d was cold", i))
			if i%3 == 0 {
				promote(t, e, fmt.Sprintf("cache %d measured", i), raw)
			}
			in := api.AddRequest{Draft: api.Draft{Kind: "belief", Text: fmt.Sprintf("cache %d is needed", i)}}
			if i%2 == 0 {
				in.Tags = []string{"even"}
			}
			if _, err := e.Add(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
		for _, query := range []string{"cache", ""} {
			all := pageFound(t, e, engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query, Limit: 7}, Facets: true})
			if len(all.Results) != 7 || !all.More || all.Bounded || all.Total < 40 {
				t.Fatalf("%q: %d of %d results, more %v", query, len(all.Results), all.Total, all.More)
			}
			sum := 0
			for name, want := range counts(all) {
				var facet, value string
				facet, value, _ = strings.Cut(name, " ")
				in := engine.FoundRequest{SearchRequest: api.SearchRequest{Query: query, Limit: 1000}, Facets: true}
				switch facet {
				case "kind":
					in.Kind, sum = value, sum+want
				case "tier":
					in.TierIs = value
				case "level":
					in.LevelIs = value
				case "tag":
					in.Tag = value
				case "author":
					in.Author = value
				case "time":
					in.Since, in.Until = value, "2026-01-03"
				}
				got := pageFound(t, e, in)
				if got.Total != want || len(got.Results) != want {
					t.Errorf("%q: %s counts %d, and its filter gives %d", query, name, want, len(got.Results))
				}
			}
			if sum != all.Total {
				t.Errorf("%q: kinds count %d of %d", query, sum, all.Total)
			}
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
	if r := pageFound(t, e, engine.FoundRequest{Facets: true}); r.Results == nil || len(r.Results) != 0 || r.Total != 0 {
		t.Errorf("an empty store: %+v", r)
	}
}
