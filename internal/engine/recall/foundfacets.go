package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/memory"
)

// Exactly selects values of facets from what matches otherwise, so that each count is what its value gives.
type Exactly struct {
	Author  string   `json:"author,omitempty"`
	KindIs  string   `json:"kind_is,omitempty"`
	TierIs  string   `json:"tier_is,omitempty"`
	LevelIs string   `json:"level_is,omitempty"`
	SpaceIs string   `json:"space_is,omitempty"`
	TagIs   []string `json:"tag_is,omitempty" jsonschema:"all of them; a comma is part of a tag"`
	TimeIs  string   `json:"time_is,omitempty" jsonschema:"a year, a month or a day"`
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

// exact reports whether values of facets are asked for: they are selected from the best.
func (f *finding) exact() bool {
	x := &f.in.Exactly
	return len(x.TagIs) > 0 ||
		cmp.Or(x.Author, x.KindIs, x.TierIs, x.LevelIs, x.SpaceIs, x.TimeIs) != ""
}

// beyond is the search that finds values of facets by its filters; nil is that they have none.
func (in *FoundRequest) beyond() *api.SearchRequest {
	ask := in.SearchRequest
	if ask.Kind == "" {
		ask.Kind = in.KindIs
	}
	if at, err := time.Parse(layoutOf(in.TimeIs), in.TimeIs); err == nil && ask.Since == "" && ask.Until == "" {
		years, months, days := 0, 0, 0
		switch layoutOf(in.TimeIs) {
		case layouts[0]:
			days = 1
		case layouts[1]:
			months = 1
		default:
			years = 1
		}
		ask.Since = at.Format(time.DateOnly)
		ask.Until = at.AddDate(years, months, days).Format(time.DateOnly)
	}
	if ask == in.SearchRequest && len(in.TagIs) == 0 {
		return nil
	}
	return &ask
}

// leavesOut reports whether a result has not the values of facets that are asked for.
func (f *finding) leavesOut(one *standing.Found) bool {
	h, x := &one.Record.Header, &f.in.Exactly
	other := func(asked, is string) bool { return asked != "" && asked != is }
	return other(x.KindIs, string(one.Ref.Kind)) || x.Author != "" && other(x.Author, f.author(one.Record)) ||
		x.TierIs != "" && other(x.TierIs, f.tier(one)) || other(x.LevelIs, string(one.Rating.Level)) ||
		other(x.SpaceIs, spaceName(h.Space)) ||
		other(x.TimeIs, standing.Happened(one.Record).In(f.zone).Format(layoutOf(x.TimeIs))) ||
		slices.ContainsFunc(x.TagIs, func(t string) bool { return !slices.Contains(h.Tags, t) })
}

// The precisions of times in facets, the finest first.
var layouts = []string{"2006-01-02", "2006-01", "2006"}

// layoutOf is the precision of a value of the time facet.
func layoutOf(value string) string {
	for _, l := range layouts {
		if len(l) == len(value) {
			return l
		}
	}
	return layouts[0]
}

// tier is the tier that a result shows.
func (f *finding) tier(one *standing.Found) string { return views.View(one.Item).Tier }

// author is who wrote a record, as a person knows them: "agent NAME", "you", "your agent", or a key. An agent
// chooses its name, which may be "you", and an agent of somebody else may choose that of one's own: it is
// "agent NAME of KEY".
func (f *finding) author(r *memory.Record) string {
	h := &r.Header
	if me := f.me; me != nil && me.Ring != nil {
		switch {
		case h.Agent != "" && f.mine(r):
			return "agent " + h.Agent
		case h.Agent != "":
		case me.Owner != nil && me.Owner.DID() == h.Author:
			return "you"
		case me.Agent != nil && me.Agent.DID() == h.Author:
			return "your agent"
		}
	}
	if h.Agent != "" {
		return "agent " + h.Agent + " of " + h.Author
	}
	return h.Author
}

// mine reports whether the key that wrote a record speaks for this person.
func (f *finding) mine(r *memory.Record) bool {
	own, known := f.own[r.Header.Author]
	if !known {
		own = f.who != nil && f.me.Principal != "" && f.who.Voice(r).Principal == f.me.Principal
		f.own[r.Header.Author] = own
	}
	return own
}

func spaceName(space string) string {
	if _, name, cut := strings.Cut(space, "/"); cut {
		return name
	}
	return space
}

// A counter counts values of results, and of these those that bear on the question. It notes which it met first.
type counter struct {
	count, bears map[string]int
	order        []string
}

func (c *counter) add(value string, n int, bears bool) {
	if c.count == nil {
		c.count, c.bears = make(map[string]int), make(map[string]int)
	}
	if c.count[value] == 0 {
		c.order = append(c.order, value)
	}
	if c.count[value] += n; bears {
		c.bears[value] += n
	}
}

// facet lists the values, the largest count first, and of equal counts the one that was met first. Where there are too
// many, those stay that most results have that bear on the question: what only meaning found takes no place from them.
func (c *counter) facet(name string) Facet {
	out := Facet{Name: name}
	slices.SortStableFunc(c.order, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.bears[b], c.bears[a]), cmp.Compare(c.count[b], c.count[a]))
	})
	for _, v := range c.order[:min(mostValues, len(c.order))] {
		out.Values = append(out.Values, FacetValue{v, c.count[v]})
	}
	out.Others = len(c.order) - len(out.Values)
	slices.SortStableFunc(out.Values, func(a, b FacetValue) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// count makes the facets.
func (f *finding) count(all []*standing.Found) {
	var kind, tier, level, space, tag, author counter
	times := make([]time.Time, len(all))
	for i, one := range all {
		h, bears := &one.Record.Header, f.s.fit(one) == fitBears
		kind.add(string(one.Ref.Kind), 1, bears)
		if t := f.tier(one); t != "" {
			tier.add(t, 1, bears)
		}
		level.add(string(one.Rating.Level), 1, bears)
		space.add(spaceName(h.Space), 1, bears)
		author.add(f.author(one.Record), 1, bears)
		for _, t := range h.Tags {
			tag.add(t, 1, bears)
		}
		times[i] = standing.Happened(one.Record).In(f.zone)
	}
	if n := len(f.s.yielded); n > 0 { // who asks for raws alone is given those too
		kind.add(string(memory.KindRaw), n, true)
	}
	names := []string{"kind", "tier", "level", "space", "tag", "author"}
	for i, c := range []*counter{&kind, &tier, &level, &space, &tag, &author} {
		if len(c.order) > 0 {
			f.facets = append(f.facets, c.facet(names[i]))
		}
	}
	if len(times) > 0 {
		f.facets = append(f.facets, timeFacet(times))
	}
}

// timeFacet counts times by days, months or years: the finest that are few enough.
func timeFacet(times []time.Time) Facet {
	var c counter
	for _, layout := range layouts {
		c = counter{}
		for _, t := range times {
			c.add(t.Format(layout), 1, true)
		}
		if len(c.order) <= mostValues {
			break
		}
	}
	out := c.facet("time")
	slices.SortFunc(out.Values, func(a, b FacetValue) int { return cmp.Compare(b.Value, a.Value) })
	return out
}
