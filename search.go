package stemma

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// searchLimit is how many results a search gives unless told otherwise, and
// maxSearch how many at most.
const (
	searchLimit = 10
	maxSearch   = 1000
)

// SearchRequest is a question in plain words: any text is a valid query, and
// operators in it are words.
type SearchRequest struct {
	Query             string `json:"query"`
	Limit             int    `json:"limit,omitempty" jsonschema:"0 is 10, at most 1000"`
	Kind              string `json:"kind,omitempty" jsonschema:"one kind, or several with commas"`
	Type              string `json:"type,omitempty" jsonschema:"the type within a kind, such as decision"`
	Tier              string `json:"tier,omitempty" jsonschema:"grounded, observed, inferred or hypothesis: that tier or better"`
	Tag               string `json:"tag,omitempty"`
	Session           string `json:"session,omitempty"`
	Since             string `json:"since,omitempty" jsonschema:"only what happened, or else was recorded, at this time or later"`
	Until             string `json:"until,omitempty" jsonschema:"only what happened, or else was recorded, before this time"`
	AsOf              string `json:"as_of,omitempty" jsonschema:"as it was known at this time"`
	ValidAt           string `json:"valid_at,omitempty" jsonschema:"only what held at this time"`
	All               bool   `json:"all,omitempty" jsonschema:"superseded, rejected, forgotten and quarantined ones too"`
	IncludeProvenance bool   `json:"include_provenance,omitempty"`
	Explain           bool   `json:"explain,omitempty" jsonschema:"say what made up the relevance"`
}

// SearchReply is what was found, best first.
type SearchReply struct {
	Query    string   `json:"query"`
	AsOf     string   `json:"as_of,omitempty"`
	Embedder string   `json:"embedder,omitempty"` // the model whose vectors were compared
	Receipt  string   `json:"receipt,omitempty"`  // under which this answer can be looked up
	Warnings []string `json:"warnings,omitempty"`
	Results  []Result `json:"results"`
}

// Result is one memory found.
type Result struct {
	Rank       int          `json:"rank"`
	Ref        string       `json:"ref"`
	Type       string       `json:"type"`
	ID         string       `json:"id"`
	Text       string       `json:"text"`    // the headline
	Score      float64      `json:"score"`   // the product of the factors
	Factors    rank.Factors `json:"factors"` // what the score is made of
	Confidence float64      `json:"confidence"`
	Tier       string       `json:"tier,omitempty"`
	Origin     string       `json:"origin"`
	Hidden     string       `json:"hidden,omitempty"`
	Speaker    string       `json:"speaker,omitempty"`
	CreatedAt  string       `json:"created_at"`
	OccurredAt string       `json:"occurred_at,omitempty"`
	Session    string       `json:"session,omitempty"`
	Shelf      string       `json:"shelf,omitempty"`  // where two stores are read together
	Alias      []string     `json:"alias,omitempty"`  // the ids it had elsewhere
	Source     string       `json:"source,omitempty"` // with include_provenance
	From       string       `json:"from,omitempty"`   // with include_provenance: in words
	Why        *Why         `json:"why,omitempty"`    // with explain
}

// Why says what made up the relevance of a result. The parts are in the same
// unit and add up to the relevance where there is no embedder.
type Why struct {
	Own      float64  `json:"own"`               // its own words
	Lent     float64  `json:"lent,omitempty"`    // by its neighbours in the session
	Shared   float64  `json:"session,omitempty"` // by the best of its session
	Graph    float64  `json:"graph,omitempty"`   // by what it rests on or what rests on it
	GraphBy  string   `json:"graph_by,omitempty"`
	Cosine   float64  `json:"cosine,omitempty"` // the nearness of its vector
	Terms    []string `json:"terms,omitempty"`  // the words of the question it has, as they are looked for
	Question []string `json:"asked,omitempty"`  // all of them
}

// Search finds memories of every kind by their words and, with an embedder, by
// their meaning.
func (e *Engine) Search(ctx context.Context, in SearchRequest) (SearchReply, error) {
	reply := SearchReply{Query: in.Query, AsOf: in.AsOf, Results: []Result{}}
	s, err := e.searching(in)
	if err != nil {
		return reply, err
	}
	found, err := s.run(ctx)
	if err != nil {
		return reply, sorted(err)
	}
	reply.Warnings, reply.Embedder = s.warnings, s.embedder
	for _, f := range found {
		r := s.result(f)
		r.Rank = len(reply.Results) + 1
		reply.Results = append(reply.Results, r)
	}
	reply.Receipt = e.receipt(in, &reply, found)
	return reply, nil
}

// searching is one search under way.
type searching struct {
	e     *Engine
	in    SearchRequest
	limit int
	kinds []memory.Kind // none is all memories
	keep  filter
	terms []string
	now   time.Time // as of when

	warnings []string
	embedder string
	hits     map[memory.ID]store.Hit // what the words gave
	refs     map[memory.ID]memory.Ref
	bestHit  float64
}

// searching reads a request.
func (e *Engine) searching(in SearchRequest) (*searching, error) {
	s := &searching{e: e, in: in, limit: in.Limit, terms: words.Query(in.Query), now: e.c.Now(), hits: make(map[memory.ID]store.Hit), refs: make(map[memory.ID]memory.Ref)}
	if s.limit == 0 {
		s.limit = searchLimit
	}
	if s.limit < 0 || s.limit > maxSearch {
		return nil, invalid("limit: must be from 1 to %d, got %d", maxSearch, in.Limit)
	}
	if in.Kind != "" {
		for _, k := range strings.Split(in.Kind, ",") {
			kinds, err := listKinds(strings.TrimSpace(k))
			if err != nil {
				return nil, err
			}
			s.kinds = append(s.kinds, kinds...)
		}
	}
	var err error
	s.keep, err = in.filter()
	if !s.keep.asOf.IsZero() {
		s.now = s.keep.asOf.Time
	}
	return s, err
}

// A found is one candidate that was read.
type found struct {
	*store.Item
	c       *rank.Candidate
	tier    memory.Tier
	factors rank.Factors
}

// How deep a search looks before tiers and age decide, and how many of the best
// lend along the graph.
const (
	poolSize   = 100
	graphLends = 20
	mostWide   = 100_000 // candidates a search for something rare looks through
	widerBy    = 8
)

// run gives the results, best first. Where filters leave too few, it looks
// deeper.
func (s *searching) run(ctx context.Context) ([]*found, error) {
	spaces, err := s.e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, err
	}
	vec := s.vector(ctx)
	for pool := max(poolSize, 2*s.limit); ; pool *= widerBy {
		all, full, err := s.candidates(ctx, spaces, vec, pool)
		if err != nil {
			return nil, err
		}
		kept, err := s.judge(ctx, all)
		if err != nil {
			return nil, err
		}
		if len(kept) >= s.limit || !full || pool >= mostWide {
			return kept[:min(s.limit, len(kept))], nil
		}
	}
}

// candidates gathers what words, vectors and the graph give. full tells whether
// there may be more.
func (s *searching) candidates(ctx context.Context, spaces []string, vec []float32, pool int) (all []*rank.Candidate, full bool, err error) {
	byID := make(map[memory.ID]*rank.Candidate)
	get := func(id memory.ID) *rank.Candidate {
		c := byID[id]
		if c == nil {
			c = &rank.Candidate{ID: id}
			byID[id] = c
			all = append(all, c)
		}
		return c
	}
	hidden := s.in.All || !s.keep.asOf.IsZero()
	hits, err := s.e.store.Match(ctx, store.Match{Terms: s.terms, Spaces: spaces, Kinds: s.kinds, Hidden: hidden, Limit: pool})
	if err != nil {
		return nil, false, err
	}
	full = len(hits) == pool
	if len(s.kinds) > 0 { // the others may still lend to what they rest on
		others := memory.Memories()
		others = slices.DeleteFunc(others, func(k memory.Kind) bool { return slices.Contains(s.kinds, k) || k == memory.KindRaw })
		if len(others) > 0 {
			more, err := s.e.store.Match(ctx, store.Match{Terms: s.terms, Spaces: spaces, Kinds: others, Limit: graphLends})
			if err != nil {
				return nil, false, err
			}
			hits = append(hits, more...)
		}
	}
	for _, h := range hits {
		get(h.ID).Words = h.Score
		s.hits[h.ID] = h
		s.bestHit = max(s.bestHit, h.Score)
	}
	if vec != nil {
		near, err := s.e.store.Nearest(ctx, store.Near{
			Model: s.embedder, Vec: vec, Spaces: spaces, Kinds: s.kinds, Hidden: hidden, Limit: pool,
		})
		if err != nil {
			return nil, false, err
		}
		full = full || len(near) == pool
		for _, h := range near {
			c := get(h.ID)
			c.Cosine, c.Near = h.Score, true
		}
	}
	rank.Fuse(all)
	slices.SortFunc(all, func(a, b *rank.Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), a.ID.Compare(b.ID))
	})
	if err := s.expand(ctx, all, get); err != nil {
		return nil, false, err
	}
	rank.Lend(all)
	return all, full, nil
}

// What the graph lends: what a hit rests on shares what it has; what rests on a
// hit, and what else that rests on, gets a little.
const (
	sourceShare  = 0.5
	derivedShare = 0.2
	siblingShare = 0.1
	mostSources  = 8  // a conclusion of more lends to none of them
	mostDerived  = 16 // the same for words of which much was made
)

// expand lets the best candidates lend along the graph. What they lend to may be
// new to the search.
func (s *searching) expand(ctx context.Context, all []*rank.Candidate, get func(memory.ID) *rank.Candidate) error {
	best := make(map[memory.ID]float64)
	var ids []memory.ID
	for _, c := range all[:min(graphLends, len(all))] {
		best[c.ID] = c.Relevance
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	forward, err := s.e.store.Edges(ctx, memory.Forward, ids...)
	if err != nil {
		return err
	}
	derived := byEnd(forward, func(e memory.Edge) (end, other memory.ID) { return e.To, e.From })
	for _, made := range derived {
		for _, id := range made[:min(len(made), mostDerived)] {
			if _, is := best[id]; !is {
				ids = append(ids, id)
			}
		}
	}
	back, err := s.e.store.Edges(ctx, memory.Back, ids...)
	if err != nil {
		return err
	}
	sources := byEnd(back, func(e memory.Edge) (end, other memory.ID) { return e.From, e.To })
	lend := func(from, to memory.ID, share float64) {
		if from == to || share <= 0 {
			return
		}
		if c := get(to); share > c.Graph {
			c.Graph, c.From = share, from
		}
	}
	for _, id := range ids[:len(best)] {
		for _, src := range few(sources[id], mostSources) {
			lend(id, src, sourceShare*best[id]/float64(len(sources[id])))
		}
		for _, made := range few(derived[id], mostDerived) {
			lend(id, made, derivedShare*best[id])
			for _, sibling := range few(sources[made], mostSources) {
				lend(id, sibling, siblingShare*best[id])
			}
		}
	}
	return nil
}

// byEnd groups the arrows of derivation by one of their ends.
func byEnd(edges []memory.Edge, ends func(memory.Edge) (end, other memory.ID)) map[memory.ID][]memory.ID {
	out := make(map[memory.ID][]memory.ID)
	for _, e := range edges {
		if e.Rel == memory.DerivedFrom {
			end, other := ends(e)
			out[end] = append(out[end], other)
		}
	}
	return out
}

// few gives a list unless it is longer than so many: then it says little of each.
func few(ids []memory.ID, most int) []memory.ID {
	if len(ids) > most {
		return nil
	}
	return ids
}

// judge reads the candidates, leaves out what was not asked for and puts the
// rest in order.
func (s *searching) judge(ctx context.Context, all []*rank.Candidate) ([]*found, error) {
	ids := make([]memory.ID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	items, err := s.e.store.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var out []*found
	for i, it := range items {
		if it != nil {
			s.refs[it.Ref.ID] = it.Ref
		}
		if it == nil || it.Record == nil {
			continue // purged, or not held
		}
		f := &found{Item: it, c: all[i]}
		if !s.keep.asOf.IsZero() {
			if f.Item, err = s.e.asOf(ctx, it, s.keep.asOf.Time); err != nil {
				return nil, err
			}
			if f.Item == nil {
				continue // nobody knew of it
			}
		}
		f.tier = memory.TierOf(f.Record, &f.State)
		if !s.wants(f) {
			continue
		}
		f.factors = rank.Of(f.c.Relevance, f.tier, s.now.Sub(happened(f.Record)))
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *found) int { return rank.Compare(a.ranked(), b.ranked()) })
	return out, nil
}

func (f *found) ranked() rank.Ranked {
	return rank.Ranked{Score: f.factors.Score(), At: f.Record.Header.At.Time, ID: f.Ref.ID}
}

// wants tells whether a candidate is what was asked for: what the graph lent to
// may be anything.
func (s *searching) wants(f *found) bool {
	kind := f.Ref.Kind
	if len(s.kinds) > 0 && !slices.Contains(s.kinds, kind) || len(s.kinds) == 0 && !kind.IsMemory() {
		return false
	}
	if !s.in.All && !f.State.Live() || !s.e.onShelf(f.Record.Header.Space) {
		return false
	}
	return s.keep.takes(f.Record, f.tier)
}

// result shows what was found.
func (s *searching) result(f *found) Result {
	m := view(f.Item)
	r := Result{
		Ref: m.Ref, Type: m.Type, ID: m.ID, Text: m.Headline, Score: thousandth(f.factors.Score()), Factors: f.factors,
		Confidence: m.Confidence, Tier: m.Tier, Origin: m.Origin, Hidden: m.Hidden, CreatedAt: m.CreatedAt,
		OccurredAt: m.OccurredAt, Session: m.Session, Shelf: m.Shelf, Alias: m.Alias,
	}
	switch b := f.Record.Body.(type) {
	case *memory.Raw:
		r.Speaker = b.Speaker
	case *memory.Note:
		r.Speaker = b.Speaker
	}
	if s.in.IncludeProvenance {
		r.Source, r.From = m.Source, fromWords(f.Record)
	}
	if s.in.Explain {
		r.Why = s.why(f)
	}
	return r
}

// why says what made up a relevance.
func (s *searching) why(f *found) *Why {
	w := &Why{Cosine: thousandth(f.c.Cosine), Graph: thousandth(f.c.Graph), Question: s.terms}
	if f.c.Graph > 0 {
		w.GraphBy = s.refs[f.c.From].Short()
	}
	if h, ok := s.hits[f.Ref.ID]; ok && h.Score > 0 {
		part := 1 / s.bestHit
		if s.embedder == "" { // words alone are what the graph did not lend
			part = (f.c.Relevance - f.c.Graph) / h.Score
		}
		w.Own, w.Lent, w.Shared = thousandth(h.Own*part), thousandth(h.Lent*part), thousandth(h.Session*part)
		w.Terms = h.Terms
	}
	return w
}

// thousandth rounds to what people read.
func thousandth(f float64) float64 {
	const places = 1000
	if f < 0 {
		return -thousandth(-f)
	}
	return float64(int(f*places+0.5)) / places
}

// fromWords says where a memory came from as a search shows it: "3 episodes via
// consolidation", "raw:aaa111", "belief:abc123 (inference)".
func fromWords(r *memory.Record) string {
	p := &r.Header.Provenance
	switch {
	case len(p.From) == 0:
		return sourceWords(r)
	case len(p.From) > 1:
		return sourceWords(r) + " via " + p.Via.SourceType()
	case p.Via == memory.ViaPromote:
		return p.From[0].Short()
	default:
		return p.From[0].Short() + " (" + p.Via.SourceType() + ")"
	}
}
