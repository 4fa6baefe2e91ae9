package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/bearing"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// searching is one search under way.
type searching struct {
	e      *Finder
	in     api.SearchRequest
	limit  int
	kinds  []memory.Kind // none is all memories
	reads  func(space string) bool
	keep   views.Filter
	terms  []string
	prefer string            // the mark of records that have the kind of word that is asked for
	now    time.Time         // as of when
	said   bool              // what tools gave out is left out
	also   []*standing.Found // given beside the results: the receipt names them too
	asks   bearing.Question
	like   *store.Item // what the results are like; nil is that they answer a question

	has [][]string // marks that everything wanted has; none is any

	// what lists the records where there are no words; nil is that nothing does
	newest  func(rd *trust.Reading, spaces []string) ([]*standing.Found, error)
	after   func([]*standing.Found) []*standing.Found // selects from what was found; nil is all
	yielded []*standing.Found                         // captured words that are no line of the answer, where after is set

	under map[string][]string // of lines that are listed below decisions, by their refs, those of the decisions

	gathers *gathering // everything is wanted; nil is one answer
	lent    *passed    // what has the relevance of what it replaced; nil is nothing
	plain   int        // the limit of an answer to any other question; 0 is the same

	hid     []memory.ID // found by their words, and hidden
	leftOut int         // what the budget of a recall left out

	warnings []string
	model    llm.Embedder            // whose vectors answer
	embedder string                  // its name, where the question has a vector
	hits     map[memory.ID]store.Hit // what the words gave
	approved map[memory.ID]bool      // of these, what a person approved, as the tables say
	refs     map[memory.ID]memory.Ref
	near     map[memory.ID]int // what vectors found, by which of its passages
	ofWords  float64           // the relevance by words alone of what has 1 from its words
	known    float64           // the share of the question that the best by words hold
	topTrust trust.Most        // the most that any memory here can be trusted
}

// searching reads a request.
func (e *Finder) searching(in api.SearchRequest) (*searching, error) {
	s := &searching{
		e: e, in: in, limit: in.Limit, terms: words.Query(in.Query), now: e.C.Now(), asks: bearing.Read(in.Query),
		prefer: preferred(in.Query), hits: make(map[memory.ID]store.Hit), approved: make(map[memory.ID]bool),
		refs: make(map[memory.ID]memory.Ref), near: make(map[memory.ID]int),
	}
	if s.limit == 0 {
		s.limit = searchLimit
	}
	if s.limit < 0 || s.limit > core.MaxSearch {
		return nil, core.Invalid("limit: must be from 1 to %d, got %d", core.MaxSearch, in.Limit)
	}
	if in.Kind != "" {
		for _, k := range strings.Split(in.Kind, ",") {
			kinds, err := views.ListKinds(strings.TrimSpace(k))
			if err != nil {
				return nil, err
			}
			s.kinds = append(s.kinds, kinds...)
		}
	}
	var err error
	s.keep, err = views.SearchRequestFilter(&in, s.now, s.e.C.Zone)
	if !s.keep.AsOf.IsZero() {
		s.now = s.keep.AsOf.Time()
	}
	s.gathers = s.gathersFor(in.Query)
	return s, err
}

// How deep a search looks before tiers and age decide, and how many of the best
// propagate along the graph.
const (
	poolSize     = 100
	graphSources = 20
	mostWide     = 100_000 // candidates a search for something rare looks through
	widerBy      = 8
)

// best returns the results, best first. Where filters leave too few, it looks deeper: first among those
// that have the tags and the type that are asked for, as far as the index says so.
func (s *searching) best(rd *trust.Reading) ([]*standing.Found, error) {
	var err error
	if s.reads, err = s.e.Reads(rd); err != nil {
		return nil, err
	}
	spaces, err := s.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, err
	}
	v, err := rd.TrustContext()
	if err != nil {
		return nil, err
	}
	s.topTrust = v.Most()
	if s.newest != nil {
		return s.newest(rd, spaces)
	}
	if s.browses() {
		return s.browse(rd, spaces)
	}
	vec := s.vector(rd)
	if s.gathers != nil {
		all, err := s.gather(rd, spaces, vec)
		if err != nil || len(all) > 0 {
			return all, err
		}
		s.gathers = nil
		if s.plain > 0 {
			s.limit = s.plain
		}
	}
	for pool := s.pool(); ; {
		all, full, err := s.candidates(rd, spaces, vec, pool)
		if err != nil {
			return nil, err
		}
		kept, more, err := s.fill(rd, all)
		if err != nil {
			return nil, err
		}
		if len(kept) >= s.limit || more || !full || pool >= mostWide {
			return s.firstPage(kept), nil
		}
		marks := s.keep.Marks()
		if s.has != nil || len(marks) == 0 {
			pool *= widerBy
			continue
		}
		s.has = marks
		if any, err := s.anyMarked(rd, spaces); err != nil || !any {
			return kept, err
		}
	}
}

// fill judges candidates until they make as many lines as are asked for. more reports whether
// some are left.
func (s *searching) fill(rd *trust.Reading, all []*rank.Candidate) (lines []*standing.Found, more bool, err error) {
	j := &judging{s: s, left: all}
	decided, err := s.decided(rd, all)
	if err != nil {
		return nil, false, err
	}
	most := make(map[*rank.Candidate]float64, len(all))
	for _, c := range all {
		most[c] = s.most(c)
	}
	slices.SortFunc(j.left, func(a, b *rank.Candidate) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(b.Relevance, a.Relevance), a.ID.Compare(b.ID))
	})
	for want := s.limit; ; want *= 2 {
		if err := j.judge(rd, want); err != nil {
			return nil, false, err
		}
		best := with(j.out[:min(want, len(j.out))], decided)
		if lines, err = s.lines(rd, copied(best)); err != nil {
			return nil, false, err
		}
		more = len(j.left) > 0 || len(j.out) > want
		if len(lines) >= s.limit || !more {
			return lines, more, nil
		}
	}
}

// copied returns candidates whose factors may be changed.
func copied(all []*standing.Found) []*standing.Found {
	out := make([]*standing.Found, len(all))
	for i, f := range all {
		one := *f
		c := *f.C
		one.C, out[i] = &c, &one
	}
	return out
}

// candidates collects the matches of words, vectors and the graph. full reports whether there
// may be more.
func (s *searching) candidates(
	rd *trust.Reading, spaces []string, vec []float32, pool int,
) (all []*rank.Candidate, full bool, err error) {
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
	hidden := s.hidden()
	hits, full, err := s.matches(rd, store.Match{
		Terms: s.terms, Prefer: s.prefer, Spaces: spaces, Kinds: s.kinds, Hidden: hidden, Passed: !hidden, Limit: pool,
		Has: s.has,
	})
	if symbols := symbolsOf(s.in.Query, s.terms); err == nil && len(symbols) > 0 {
		hits, full, err = withSymbols(rd, s.e.Store, store.Query{Kinds: s.kinds, Spaces: spaces, Hidden: hidden}, symbols,
			pool)
	}
	if err != nil {
		return nil, false, err
	}
	s.hid = hiddenOf(s.hid, hits)
	hits, lent, err := s.e.passedOver(rd, hits, s.reads, wordsOf)
	if err != nil {
		return nil, false, err
	}
	if len(s.kinds) > 0 { // the others may still propagate to what they rest on
		others := memory.Memories()
		others = slices.DeleteFunc(
			others, func(k memory.Kind) bool { return slices.Contains(s.kinds, k) || k == memory.KindRaw },
		)
		if len(others) > 0 {
			more, err := s.e.Store.Match(rd, store.Match{
				Terms: s.terms, Prefer: s.prefer, Spaces: spaces, Kinds: others, Limit: graphSources,
			})
			if err != nil {
				return nil, false, err
			}
			hits = append(hits, more...)
		}
	}
	if !hidden && len(s.keep.Marks()) == 0 {
		more, err := s.e.Store.Match(rd, store.Match{
			Terms: s.terms, Prefer: s.prefer, Spaces: spaces, Kinds: s.kinds, Decided: true, Limit: mostDecidedFound,
		})
		if err != nil {
			return nil, false, err
		}
		for _, h := range more {
			if s.approved[h.ID] = true; !slices.ContainsFunc(hits, func(o store.Hit) bool { return o.ID == h.ID }) {
				hits = append(hits, h)
			}
		}
	}
	for _, h := range hits {
		get(h.ID).Words = h.Score
		s.hits[h.ID] = h
	}
	if vec != nil {
		if err := s.noteKnown(rd, hits); err != nil {
			return nil, false, err
		}
		near, more, err := s.e.nearest(rd, store.Near{
			Model: s.embedder, Vec: vec, Spaces: spaces, Kinds: s.kinds, Hidden: hidden, Limit: pool,
		})
		if err != nil {
			return nil, false, err
		}
		full = full || more
		fresh, err := s.fresh(rd, spaces, vec, hits)
		if err != nil {
			return nil, false, err
		}
		if near, err = s.e.ByMeaning(rd, s.embedder, append(near, fresh...)); err != nil {
			return nil, false, core.Classify(err)
		}
		for _, h := range near {
			c := get(h.ID)
			c.Cosine, c.Near, s.near[h.ID] = h.Score, true, h.Passage
			if _, has := s.hits[h.ID]; !has {
				s.hits[h.ID] = store.Hit{Kind: h.Kind} // nothing by its words
			}
		}
	}
	unrelated := s.unrelated()
	s.ofWords = rank.Fuse(all, unrelated, s.known)
	all = slices.DeleteFunc(all, func(c *rank.Candidate) bool { // it has nothing to do with the question
		if c.Relevance > 0 || !c.Near || c.Cosine > unrelated {
			return false
		}
		delete(byID, c.ID)
		return true
	})
	all, s.lent = lent.apart(all), lent
	slices.SortFunc(all, func(a, b *rank.Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), a.ID.Compare(b.ID))
	})
	if s.keep.AsOf.IsZero() { // nothing that came later may propagate to what was known then
		if err := s.expand(rd, all, get, lent); err != nil {
			return nil, false, err
		}
		lent.lend(get)
		s.ofWords *= rank.Propagate(all)
	}
	return all, full, nil
}

// searchLimit is how many results a search returns by default.
const searchLimit = 10
