package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// searching is one search under way.
type searching struct {
	e     *Engine
	in    api.SearchRequest
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
	topTrust int // the most that any memory here can be trusted
}

// searching reads a request.
func (e *Engine) searching(in api.SearchRequest) (*searching, error) {
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
	s.keep, err = searchRequestFilter(&in, s.now)
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
	vouched *vouched
	factors rank.Factors

	place    int          // among the candidates of an answer
	wording  []memory.Ref // words, and memories of the same words, that yielded their line to it
	inherits string       // what was decided about the memory that these words were made to
	marks    []string     // what a reader has to know beside it
	settled  *settled     // what decisions make of it
	until    time.Time    // when what was asked for stopped to hold
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
	v, err := s.e.vouching(ctx)
	if err != nil {
		return nil, err
	}
	s.topTrust = v.most()
	if s.browses() {
		return s.browse(ctx, spaces)
	}
	vec := s.vector(ctx)
	for pool := max(poolSize, 2*s.limit); ; pool *= widerBy {
		all, full, err := s.candidates(ctx, spaces, vec, pool)
		if err != nil {
			return nil, err
		}
		kept, more, err := s.fill(ctx, all)
		if err != nil {
			return nil, err
		}
		if len(kept) >= s.limit || more || !full || pool >= mostWide {
			return kept[:min(s.limit, len(kept))], nil
		}
	}
}

// fill judges candidates until they make as many lines as are asked for. more tells
// whether some are left.
func (s *searching) fill(ctx context.Context, all []*rank.Candidate) (lines []*found, more bool, err error) {
	j := &judging{s: s, left: all}
	slices.SortFunc(j.left, func(a, b *rank.Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), a.ID.Compare(b.ID))
	})
	for want := s.limit; ; want *= 2 {
		if err := j.judge(ctx, want); err != nil {
			return nil, false, err
		}
		best := j.out[:min(want, len(j.out))]
		if lines, err = s.lines(ctx, copied(best)); err != nil {
			return nil, false, err
		}
		more = len(j.left) > 0 || len(j.out) > len(best)
		if len(lines) >= s.limit || !more {
			return lines, more, nil
		}
	}
}

// copied gives candidates whose factors may be changed.
func copied(all []*found) []*found {
	out := make([]*found, len(all))
	for i, f := range all {
		one := *f
		c := *f.c
		one.c, out[i] = &c, &one
	}
	return out
}

// browses tells whether nothing is asked in words: filters alone say what is given.
func (s *searching) browses() bool {
	return strings.TrimSpace(s.in.Query) == "" && s.keep.narrows()
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
	hidden := s.in.All || !s.keep.asOf.IsZero() || !s.keep.validAt.IsZero()
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
			if _, has := s.hits[h.ID]; !has {
				s.hits[h.ID] = store.Hit{Kind: h.Kind} // nothing by its words
			}
		}
	}
	rank.Fuse(all)
	slices.SortFunc(all, func(a, b *rank.Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), a.ID.Compare(b.ID))
	})
	if s.keep.asOf.IsZero() { // nothing that came later may lend to what was known then
		if err := s.expand(ctx, all, get); err != nil {
			return nil, false, err
		}
		rank.Lend(all)
	}
	return all, full, nil
}

// judged is how many candidates are read at a time.
const judged = 32

// judging is candidates being read, the most relevant first.
type judging struct {
	s    *searching
	left []*rank.Candidate
	out  []*found // those that were asked for, best first
}

// judge reads candidates, leaves out what was not asked for and puts the rest in
// order. It stops where no factor can bring those left among the first so many.
func (j *judging) judge(ctx context.Context, want int) error {
	for len(j.left) > 0 {
		if len(j.out) >= want && !j.s.mayEnter(j.left, j.out[want-1].factors.Score()) {
			break
		}
		part := j.left[:min(judged, len(j.left))]
		j.left = j.left[len(part):]
		ids := make([]memory.ID, len(part))
		for i, c := range part {
			ids[i] = c.ID
		}
		items, err := j.s.e.store.Get(ctx, ids...)
		if err != nil {
			return err
		}
		var page []*found
		for i, it := range items {
			f, err := j.s.judgeOne(ctx, part[i], it)
			if err != nil {
				return err
			}
			if f != nil {
				page = append(page, f)
			}
		}
		if page, err = j.s.weigh(ctx, page); err != nil {
			return err
		}
		j.out = append(j.out, page...)
		slices.SortFunc(j.out, func(a, b *found) int { return rank.Compare(a.ranked(), b.ranked()) })
	}
	return nil
}

// mayEnter tells whether one of those left can have a score. Raw words have no
// tier that lifts them; of what is not known to be raw, the best is assumed.
func (s *searching) mayEnter(left []*rank.Candidate, least float64) bool {
	const rounding = 0.001
	for _, c := range left {
		most := (c.Relevance + rounding) * rank.TrustFactor(s.topTrust)
		if s.hits[c.ID].Kind != memory.KindRaw {
			most *= rank.TierFactor(memory.Grounded)
		}
		if most >= least {
			return true
		}
	}
	return false
}

// judgeOne reads one candidate; nil is not what was asked for.
func (s *searching) judgeOne(ctx context.Context, c *rank.Candidate, it *store.Item) (*found, error) {
	if it != nil {
		s.refs[it.Ref.ID] = it.Ref
	}
	if it == nil || it.Record == nil {
		return nil, nil // purged, or not held
	}
	f := &found{Item: it, c: c}
	if !s.keep.asOf.IsZero() {
		var err error
		if f.Item, err = s.e.asOf(ctx, it, s.keep.asOf.Time); err != nil || f.Item == nil {
			return nil, err // nobody knew of it
		}
	}
	ok, err := s.asked(ctx, f)
	if err != nil || !ok {
		return nil, err
	}
	return f, nil
}

// asked reports whether a candidate is what was asked for. What was replaced is,
// where it held at the time that was asked for.
func (s *searching) asked(ctx context.Context, f *found) (bool, error) {
	if !s.wants(f) {
		return false, nil
	}
	if s.in.All || f.State.Live() {
		return true, nil
	}
	var held bool
	var err error
	f.until, held, err = s.e.heldUntil(ctx, f.Item, s.keep.asOf, s.keep.validAt.Time)
	return held, err
}

// weigh gives candidates their factors, and leaves out those that are not trusted
// as far as was asked for.
func (s *searching) weigh(ctx context.Context, page []*found) ([]*found, error) {
	items := make([]*store.Item, len(page))
	for i, f := range page {
		items[i] = f.Item
	}
	trusted, err := s.e.vouchAt(ctx, items, s.keep.asOf.Time, false)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(page, func(f *found) bool {
		f.vouched = trusted[f.Ref.ID]
		f.tier = f.vouched.tier
		f.factors = rank.Of(f.c.Relevance, f.tier, f.vouched.Score, s.now.Sub(happened(f.Record)))
		return !s.keep.trusts(f.vouched) || !s.keep.tiers(f.tier)
	}), nil
}

// browse gives what passes the filters where nothing was asked in words: the most
// trusted first, then the newest.
func (s *searching) browse(ctx context.Context, spaces []string) ([]*found, error) {
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Hidden: s.in.All || !s.keep.asOf.IsZero() || !s.keep.validAt.IsZero()}
	if len(s.keep.tags) > 0 {
		q.Mark = index.TagMark(s.keep.tags[0])
	}
	var out, page []*found
	flush := func() error {
		kept, err := s.weigh(ctx, page)
		out, page = append(out, kept...), nil
		return err
	}
	for it, err := range s.e.store.List(ctx, q) {
		if err != nil {
			return nil, err
		}
		f, err := s.judgeOne(ctx, &rank.Candidate{ID: it.Ref.ID, Relevance: 1}, it)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		if page = append(page, f); len(page) == browsePage {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b *found) int {
		return cmp.Or(cmp.Compare(b.vouched.Score, a.vouched.Score), rank.Compare(a.ranked(), b.ranked()))
	})
	for want := s.limit; ; want *= 2 {
		lines, err := s.lines(ctx, copied(out[:min(want, len(out))]))
		if err != nil || len(lines) >= s.limit || want >= len(out) {
			return lines[:min(s.limit, len(lines))], err
		}
	}
}

// browsePage is how many memories are weighed at a time.
const browsePage = 500

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
	if !s.in.All && !f.State.Live() && s.keep.validAt.IsZero() || !s.e.onShelf(f.Record.Header.Space) {
		return false
	}
	return s.keep.takes(f.Record)
}

// factorsOf gives what a memory's relevance is multiplied with.
func (e *Engine) factorsOf(it *store.Item, v *vouched, score int) rank.Factors {
	return rank.Of(1, v.tier, score, e.c.Now().Sub(happened(it.Record)))
}
