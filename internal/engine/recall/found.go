package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// FoundRequest is a search as the page asks it: with facets, and with filters by their values.
// Without words it lists what the filters select, the newest first.
type FoundRequest struct {
	api.SearchRequest
	Exactly
	Facets bool `json:"facets,omitempty" jsonschema:"count what matches by facets"`
	Here   bool `json:"here,omitempty" jsonschema:"ask no remote: somebody is still typing"`
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

// Found searches as Search does, for the page. Values of facets are selected from the best that
// match; where there may be more of those, it looks for the values beyond them.
func (e *Finder) Found(ctx context.Context, in FoundRequest) (FoundReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	f := &finding{in: in, limit: cmp.Or(in.Limit, searchLimit), zone: e.C.Zone}
	if f.limit < 0 || f.limit > core.MaxSearch {
		return FoundReply{}, core.Invalid("limit: must be from 1 to %d, got %d", core.MaxSearch, in.Limit)
	}
	if _, err := time.Parse(layoutOf(in.TimeIs), in.TimeIs); in.TimeIs != "" && err != nil {
		return FoundReply{}, core.Invalid("time_is: must be a day, a month or a year such as 2026, got %.40q", in.TimeIs)
	}
	f.me, _ = e.KnownKeys() // without keys of one's own, everybody is a key
	f.who, _ = rd.Keyring()
	f.own = make(map[string]bool)
	reply, err := e.find(rd, f, in.SearchRequest, nil)
	if ask := in.beyond(); err == nil && f.bounded && ask != nil {
		return e.find(rd, f, *ask, in.TagIs)
	}
	return reply, err
}

func (e *Finder) find(rd *trust.Reading, f *finding, ask api.SearchRequest, tags []string) (FoundReply, error) {
	in := &f.in
	reply := FoundReply{Query: in.Query, Results: []FoundResult{}}
	ask.Limit = min(f.limit+1, core.MaxSearch) // and whether there are more
	if in.Facets || f.exact() {
		ask.Limit = core.MaxSearch
	}
	s, err := e.searching(ask)
	if err != nil {
		return reply, err
	}
	f.s, s.after, f.facets = s, f.take, nil
	if strings.TrimSpace(in.Query) == "" && !s.browses() {
		s.newest = f.list
	}
	s.keep.Tags = append(s.keep.Tags, tags...)
	got, err := s.answer(rd, !in.Here && !f.exact(), nil)
	if err != nil {
		return reply, err
	}
	reply.Embedder, reply.Warnings, reply.More = got.Embedder, got.Warnings, f.more
	for _, r := range got.Results {
		if r.Until != "" && r.Hidden == "" {
			r.Hidden = standing.Over
		}
		one := FoundResult{Result: r, Pieces: pieces(r.Text, s.terms)}
		if it := f.by[r.Ref]; it != nil {
			h := &it.Record.Header
			one.Author, one.Space, one.Tags = f.author(it.Record), spaceName(h.Space), h.Tags
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
	zone  *time.Location         // of the days that are counted
	by    map[string]*store.Item // of the results

	me  *core.Self      // nil is that this person has no keys
	who *state.Keyring  // nil is that keys are not known
	own map[string]bool // keys that speak for this person, by DID

	more, bounded bool
	total         int
	facets        []Facet
}

// take selects, counts and cuts what was found.
func (f *finding) take(all []*standing.Found) []*standing.Found {
	f.bounded = len(all) == core.MaxSearch
	if f.s.onlyWhatBears() {
		all = f.s.bearing(all)
	}
	if f.exact() {
		all = slices.DeleteFunc(all, f.leavesOut)
		f.s.yielded = slices.DeleteFunc(f.s.yielded, f.leavesOut)
	}
	if f.in.KindIs == string(memory.KindRaw) { // they have no other line now
		all, f.s.yielded = append(all, f.s.yielded...), nil
		slices.SortStableFunc(all, func(a, b *standing.Found) int { return rank.Compare(a.Ranked(), b.Ranked()) })
	}
	f.total = len(all)
	if f.in.Facets {
		f.count(all)
	}
	if f.more = len(all) == core.MaxSearch; len(all) > f.limit { // beyond the most there may be more
		all, f.more = all[:f.limit], true
	}
	f.by = make(map[string]*store.Item, len(all))
	for _, one := range all {
		f.by[one.Ref.String()] = one.Item
	}
	return all
}

// mostListed is how many records a list without words reads at most.
const mostListed = 20_000

// list returns what the filters select, the newest first.
func (f *finding) list(rd *trust.Reading, spaces []string) ([]*standing.Found, error) {
	s := f.s
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Hidden: s.hidden(), Session: s.in.Session, Few: s.limit}
	if marks := s.keep.Marks(); len(marks) > 0 {
		q.Has, q.Few = marks, 0
	}
	if len(q.Kinds) == 0 {
		q.Kinds, _ = views.ListKinds("") // known
	}
	var out, page []*standing.Found
	flush := func() error {
		kept, err := s.weigh(rd, page)
		out, page = append(out, kept...), nil
		return err
	}
	read := 0
	for it, err := range s.e.Store.List(rd, q) {
		if err != nil {
			return nil, err
		}
		one, err := s.judgeOne(rd, &rank.Candidate{ID: it.Ref.ID, Relevance: 1}, it)
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
