package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// FoundRequest is a search as the page asks it: with facets, and with filters by their values.
// Without words it lists what the filters select, the newest first.
type FoundRequest struct {
	api.SearchRequest
	Author  string `json:"author,omitempty" jsonschema:"exactly this value of the facet"`
	TierIs  string `json:"tier_is,omitempty" jsonschema:"exactly this tier"`
	LevelIs string `json:"level_is,omitempty" jsonschema:"exactly this level of trust"`
	Facets  bool   `json:"facets,omitempty" jsonschema:"count what matches by facets"`
	Here    bool   `json:"here,omitempty" jsonschema:"ask no remote: somebody is still typing"`
}

// FoundReply is what was found. Counts are of the best 1,000 records that match, or of fewer.
type FoundReply struct {
	Query    string        `json:"query"`
	Embedder string        `json:"embedder,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Results  []FoundResult `json:"results"`
	More     bool          `json:"more,omitempty"`    // than the results given
	Total    int           `json:"total,omitempty"`   // with facets: how many match
	Bounded  bool          `json:"bounded,omitempty"` // with facets: there may be more that match
	Facets   []Facet       `json:"facets,omitempty"`
}

// A FoundResult is a result with what the page shows beside it.
type FoundResult struct {
	api.Result
	// Pieces is the text in parts: what matches the query is every second one.
	Pieces []string `json:"pieces,omitempty"`
	Author string   `json:"author,omitempty"`
	Space  string   `json:"space,omitempty"`
	Tags   []string `json:"tags,omitempty"`
}

// A Facet counts what matches by one property, the largest count first; times in their order.
type Facet struct {
	Name   string       `json:"name"`
	Values []FacetValue `json:"values"`
	Others int          `json:"others,omitempty"` // values that are not listed
}

// FacetValue is one value of a facet.
type FacetValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// mostValues is how many values of a facet are listed.
const mostValues = 12

// Found searches as Search does, for the page.
func (e *Finder) Found(ctx context.Context, in FoundRequest) (FoundReply, error) {
	ctx = store.AtOnce(ctx)
	reply := FoundReply{Query: in.Query, Results: []FoundResult{}}
	f := &finding{in: in, limit: cmp.Or(in.Limit, searchLimit)}
	if f.limit < 0 || f.limit > core.MaxSearch {
		return reply, core.Invalid("limit: must be from 1 to %d, got %d", core.MaxSearch, in.Limit)
	}
	ask := in.SearchRequest
	ask.Limit = min(f.limit+1, core.MaxSearch) // and whether there are more
	if in.Facets || f.exact() {
		ask.Limit = core.MaxSearch
	}
	s, err := e.searching(ask)
	if err != nil {
		return reply, err
	}
	f.s, s.after = s, f.take
	if strings.TrimSpace(in.Query) == "" && !s.browses() {
		s.newest = f.list
	}
	got, err := s.answer(ctx, !in.Here && !f.exact(), nil)
	if err != nil {
		return reply, err
	}
	reply.Embedder, reply.Warnings, reply.More = got.Embedder, got.Warnings, f.more
	for _, r := range got.Results {
		if r.Until != "" && r.Hidden == "" {
			r.Hidden = views.Over
		}
		one := FoundResult{Result: r, Pieces: pieces(r.Text, s.terms)}
		if it := f.by[r.Ref]; it != nil {
			h := &it.Record.Header
			one.Author, one.Space, one.Tags = f.author(h), spaceName(h.Space), h.Tags
		}
		reply.Results = append(reply.Results, one)
	}
	if in.Facets {
		reply.Total, reply.Bounded, reply.Facets = f.total, f.bounded, f.facets
	}
	return reply, nil
}

// finding is what the page asked for and what matches it.
type finding struct {
	s     *searching
	in    FoundRequest
	limit int
	by    map[string]*store.Item // of the results

	more, bounded bool
	total         int
	facets        []Facet
}

// exact reports whether something is asked for that a search does not know: it is selected from the best.
func (f *finding) exact() bool { return f.in.Author != "" || f.in.TierIs != "" || f.in.LevelIs != "" }

// take selects, counts and cuts what was found.
func (f *finding) take(all []*views.Found) []*views.Found {
	f.bounded = len(all) == core.MaxSearch
	if f.exact() {
		all = slices.DeleteFunc(all, f.leavesOut)
		f.s.yielded = slices.DeleteFunc(f.s.yielded, f.leavesOut)
	}
	f.total = len(all)
	if f.in.Facets {
		f.count(all)
	}
	if len(all) > f.limit {
		all, f.more = all[:f.limit], true
	}
	f.by = make(map[string]*store.Item, len(all))
	for _, one := range all {
		f.by[one.Ref.String()] = one.Item
	}
	return all
}

// leavesOut reports whether a result is not of the author, tier and level that are asked for.
func (f *finding) leavesOut(one *views.Found) bool {
	return f.in.Author != "" && f.author(&one.Record.Header) != f.in.Author ||
		f.in.TierIs != "" && f.tier(one) != f.in.TierIs ||
		f.in.LevelIs != "" && string(one.Rating.Level) != f.in.LevelIs
}

// tier is the tier that a result shows.
func (f *finding) tier(one *views.Found) string { return views.View(one.Item).Tier }

// author is who wrote a record, as a person knows them: "agent NAME", "you", "your agent", or a key.
// An agent chooses its name, which may be "you".
func (f *finding) author(h *memory.Header) string {
	if h.Agent != "" {
		return "agent " + h.Agent
	}
	me, err := f.s.e.KnownKeys() // without keys of one's own, everybody is a key
	if err == nil && me != nil && me.Ring != nil {
		switch {
		case me.Owner != nil && me.Owner.DID() == h.Author:
			return "you"
		case me.Agent != nil && me.Agent.DID() == h.Author:
			return "your agent"
		}
	}
	return h.Author
}

func spaceName(space string) string {
	if _, name, cut := strings.Cut(space, "/"); cut {
		return name
	}
	return space
}

// count makes the facets.
func (f *finding) count(all []*views.Found) {
	names := []string{"kind", "tier", "level", "space", "tag", "author"}
	counts := make(map[string]map[string]int, len(names))
	for _, n := range names {
		counts[n] = make(map[string]int)
	}
	if n := len(f.s.yielded); n > 0 { // who asks for raws alone is given those too
		counts["kind"][string(memory.KindRaw)] = n
	}
	times := make([]time.Time, len(all))
	for i, one := range all {
		h := &one.Record.Header
		counts["kind"][string(one.Ref.Kind)]++
		if t := f.tier(one); t != "" {
			counts["tier"][t]++
		}
		counts["level"][string(one.Rating.Level)]++
		counts["space"][spaceName(h.Space)]++
		counts["author"][f.author(h)]++
		for _, t := range h.Tags {
			counts["tag"][t]++
		}
		times[i] = views.Happened(one.Record).UTC()
	}
	for _, n := range names {
		if len(counts[n]) > 0 {
			f.facets = append(f.facets, facet(n, counts[n]))
		}
	}
	if len(times) > 0 {
		f.facets = append(f.facets, timeFacet(times))
	}
}

func facet(name string, counts map[string]int) Facet {
	out := Facet{Name: name}
	for v, n := range counts {
		out.Values = append(out.Values, FacetValue{v, n})
	}
	slices.SortFunc(out.Values, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	if len(out.Values) > mostValues {
		out.Values, out.Others = out.Values[:mostValues], len(out.Values)-mostValues
	}
	return out
}

// timeFacet counts times by days, months or years: the finest that are few enough.
func timeFacet(times []time.Time) Facet {
	var out Facet
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		counts := make(map[string]int)
		for _, t := range times {
			counts[t.Format(layout)]++
		}
		if len(counts) > mostValues && layout != "2006" {
			continue
		}
		if out = facet("time", counts); out.Others > 0 || len(counts) > 0 {
			break
		}
	}
	slices.SortFunc(out.Values, func(a, b FacetValue) int { return cmp.Compare(b.Value, a.Value) })
	return out
}

// mostListed is how many records a list without words reads at most.
const mostListed = 20_000

// list returns what the filters select, the newest first.
func (f *finding) list(ctx context.Context, spaces []string) ([]*views.Found, error) {
	s := f.s
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Hidden: s.hidden(), Session: s.in.Session, Few: s.limit}
	if marks := s.keep.Marks(); len(marks) > 0 {
		q.Has, q.Few = marks, 0
	}
	if len(q.Kinds) == 0 {
		q.Kinds, _ = views.ListKinds("") // known
	}
	var out, page []*views.Found
	flush := func() error {
		kept, err := s.weigh(ctx, page)
		out, page = append(out, kept...), nil
		return err
	}
	read := 0
	for it, err := range s.e.Store.List(ctx, q) {
		if err != nil {
			return nil, err
		}
		one, err := s.judgeOne(ctx, &rank.Candidate{ID: it.Ref.ID, Relevance: 1}, it)
		if err != nil {
			return nil, err
		}
		if one != nil {
			page = append(page, one)
		}
		if len(page) == browsePage || len(out)+len(page) == s.limit {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		if read++; len(out) >= s.limit || read == mostListed {
			break
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return out[:min(s.limit, len(out))], nil
}
