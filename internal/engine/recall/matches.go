package recall

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// anyMarked reports whether there is a record that has the marks.
func (s *searching) anyMarked(rd *trust.Reading, spaces []string) (bool, error) {
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Has: s.has, Hidden: true, Limit: 1}
	for _, err := range s.e.Store.List(rd, q) {
		return err == nil, err
	}
	return false, nil
}

// pool is how many matches a search looks at to begin with.
func (s *searching) pool() int { return max(poolSize, 2*s.limit) }

// matches returns the matches of words. Where they are asked to have marks, the best without them still set the
// measure and propagate, and come after.
func (s *searching) matches(rd *trust.Reading, m store.Match) (hits []store.Hit, full bool, err error) {
	hits, err = s.e.Store.Match(rd, m)
	shown := 0
	for i := range hits {
		if !hits[i].Hidden {
			shown++
		}
	}
	full = shown == m.Limit
	if err != nil || m.Has == nil {
		return hits, full, err
	}
	m.Has, m.Limit = nil, s.pool()
	best, err := s.e.Store.Match(rd, m)
	return append(hits, best...), full, err
}

// vector returns the vector of the question, nil where there is no embedder or it
// does not answer: then words alone must do, and one warning says so.
func (s *searching) vector(rd *trust.Reading) []float32 {
	em, err := s.e.answering(rd)
	if err != nil {
		s.warnings = append(s.warnings, "searched by words alone: "+core.OneLine(err))
	}
	if em == nil {
		return nil
	}
	s.model = em
	vecs, err := em.Embed(rd, llm.Query, s.in.Query)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.warnings = append(s.warnings, "searched by words alone: "+core.OneLine(err))
		}
		return nil
	}
	if len(vecs) != 1 || vecs[0] == nil {
		return nil // nothing in the question that the model knows
	}
	s.embedder = em.Model()
	return vecs[0]
}

// mostCopies is how many records are looked at that are equally near: they say the same.
const mostCopies = 10

// nearest returns the nearest to a vector. What is there many times takes no place from what says something else: it
// looks deeper then. more reports whether there may be more.
func (e *Finder) nearest(rd *trust.Reading, n store.Near) (near []store.Hit, more bool, err error) {
	for pool := n.Limit; ; n.Limit *= widerBy {
		hits, err := e.Nearest(rd, n)
		if err != nil {
			return nil, false, err
		}
		more, near = len(hits) == n.Limit, nil
		copies := make(map[float64]int)
		for _, h := range hits {
			if copies[h.Score]++; copies[h.Score] <= mostCopies && len(near) < pool {
				near = append(near, h)
			}
		}
		if !more || 2*len(near) > pool || n.Limit >= mostWide {
			return near, more, nil
		}
	}
}

// unrelated returns how near the model finds two texts that have nothing to do with each other.
func (s *searching) unrelated() float64 {
	if m, ok := s.model.(llm.Local); ok {
		return m.Unrelated()
	}
	return math.Inf(-1)
}

// The best by words that say how much of a question is known, and among how many hits they are looked for.
const (
	knownBest = 3
	knownRead = 12
)

// noteKnown notes how much of the question the best by words hold. A prompt asks: that of the conversation that goes
// on holds all of the question, and knows nothing of the answer.
func (s *searching) noteKnown(rd *trust.Reading, hits []store.Hit) error {
	if s.known = 0; s.like != nil { // it holds all of its own words
		return nil
	}
	top := slices.SortedFunc(slices.Values(hits), func(a, b store.Hit) int {
		return rank.Compare(rank.Ranked{Score: a.Score, ID: a.ID}, rank.Ranked{Score: b.Score, ID: b.ID})
	})
	top = top[:min(knownRead, len(top))]
	ids := make([]memory.ID, len(top))
	for i, h := range top {
		ids[i] = h.ID
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	best := 0
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		if _, asks := views.IsPrompt(it.Record); asks {
			continue
		}
		s.known = max(s.known, top[i].Held)
		if best++; best == knownBest {
			break
		}
	}
	return nil
}

// How much a search embeds of what has no vector yet: what the words found first, and then the newest. It keeps none.
// The best by words are compared with each other, so all of them are waited for longer than for the newest: on a busy
// machine their order would be another one.
const (
	freshTime = 15 * time.Millisecond
	hitsTime  = 100 * time.Millisecond
	mostFresh = 8 // of either
)

// fresh returns how near memories are that have no vector yet.
func (s *searching) fresh(rd *trust.Reading, spaces []string, vec []float32, hits []store.Hit) ([]store.Hit, error) {
	em, here := s.model.(llm.Local)
	if !here {
		return nil, nil
	}
	began := time.Now()
	all, err := rd.Spaces()
	if err != nil {
		return nil, core.Classify(err)
	}
	var newest []memory.ID
	for _, sp := range all {
		if slices.Contains(spaces, sp.Name) {
			ids, err := s.e.unseenIn(rd, s.embedder, sp)
			if err != nil {
				return nil, err
			}
			newest = append(newest, ids...)
		}
	}
	if len(newest) == 0 {
		return nil, nil
	}
	without := make(map[memory.ID]bool, len(newest))
	for _, id := range newest {
		without[id] = true
	}
	var ids []memory.ID
	byWords := make(map[memory.ID]bool)
	for _, h := range hits {
		if without[h.ID] && len(ids) < mostFresh {
			ids, byWords[h.ID] = append(ids, h.ID), true
			delete(without, h.ID)
		}
	}
	for _, id := range newest[:min(mostFresh, len(newest))] {
		if without[id] {
			ids = append(ids, id)
		}
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []store.Hit
	for _, it := range items {
		if it == nil || it.Record == nil || len(s.kinds) > 0 && !slices.Contains(s.kinds, it.Ref.Kind) ||
			!s.hidden() && !it.State.Live() {
			continue
		}
		most := freshTime
		if byWords[it.Ref.ID] {
			most = hitsTime
		}
		if time.Since(began) > most {
			break
		}
		vecs, err := em.Embed(rd, llm.Document, meant(it.Record))
		if err != nil || len(vecs) != 1 || vecs[0] == nil {
			continue // words decide
		}
		out = append(out, store.Hit{ID: it.Ref.ID, Kind: it.Ref.Kind, Score: dot(vec, vecs[0])})
	}
	return out, nil
}

func dot(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
