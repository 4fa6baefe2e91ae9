package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/memory"
)

// mostDecidedFound is how many of what people approved are looked at for a question, the best: more than a page has.
const mostDecidedFound = 50

// decided returns what people approved and what bears on the question, however many others match it better.
func (s *searching) decided(rd *trust.Reading, all []*rank.Candidate) ([]*standing.Found, error) {
	if s.hidden() || s.onlyRaws() {
		return nil, nil
	}
	byID := make(map[memory.ID]*rank.Candidate, len(all))
	for _, c := range all {
		byID[c.ID] = c
	}
	var ids []memory.ID
	for id := range s.approved {
		if byID[id] != nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, memory.ID.Compare)
	items, err := rd.Get(ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var page []*standing.Found
	for i, it := range items {
		f, err := s.judgeOne(rd, byID[ids[i]], it)
		if err != nil {
			return nil, err
		}
		if f != nil {
			page = append(page, f)
		}
	}
	typed, err := s.typed(rd, byID)
	if err != nil {
		return nil, err
	}
	if page, err = s.weigh(rd, append(copied(page), typed...)); err != nil {
		return nil, err
	}
	page = slices.DeleteFunc(page, func(f *standing.Found) bool { return !f.Rating.Decided() || !s.bears(f) })
	slices.SortFunc(page, func(a, b *standing.Found) int { return rank.Compare(a.Ranked(), b.Ranked()) })
	return page, nil
}

// typedRelevance is what a value, goal or drive is worth that has all of what is asked for, and that others of its
// kind, which match as well, left out of the candidates.
const typedRelevance = 0.3

// typed returns the values, goals and drives that this person typed, which are no candidates yet.
func (s *searching) typed(rd *trust.Reading, known map[memory.ID]*rank.Candidate) ([]*standing.Found, error) {
	kinds := typedKinds
	if len(s.kinds) > 0 {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(k memory.Kind) bool { return !slices.Contains(s.kinds, k) })
	}
	spaces, err := s.e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 || len(kinds) == 0 {
		return nil, err
	}
	items, err := s.e.typedBy(rd, spaces, kinds)
	if err != nil {
		return nil, err
	}
	var out []*standing.Found
	for _, it := range items {
		if known[it.Ref.ID] != nil || s.lacks(it.Record) {
			continue
		}
		c := &rank.Candidate{ID: it.Ref.ID, Relevance: typedRelevance * s.asks.Share(wordsOf(it.Record))}
		f, err := s.judgeOne(rd, c, it)
		if err != nil {
			return nil, err
		}
		if f != nil {
			out = append(out, f)
		}
	}
	return out, nil
}

// with adds to what was found what is not among it.
func with(found, more []*standing.Found) []*standing.Found {
	out := slices.Clone(found)
	for _, f := range more {
		if !slices.ContainsFunc(found, func(o *standing.Found) bool { return o.Ref == f.Ref }) {
			out = append(out, f)
		}
	}
	return out
}

// firstPage returns as many lines as are asked for: those of what a person decided, and the best of the others. Their
// order stays.
func (s *searching) firstPage(lines []*standing.Found) []*standing.Found {
	if len(lines) <= s.limit {
		return lines
	}
	decided := 0
	is := func(f *standing.Found) bool { return f.Rating != nil && f.Rating.Decided() && s.bears(f) }
	for _, f := range lines {
		if is(f) {
			decided++
		}
	}
	others := s.limit - min(decided, s.limit)
	var out []*standing.Found
	for _, f := range lines {
		if is(f) {
			out = append(out, f)
		} else if others > 0 {
			others--
			out = append(out, f)
		}
	}
	return out[:min(s.limit, len(out))]
}
