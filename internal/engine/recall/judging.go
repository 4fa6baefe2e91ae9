package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// comparedAtOnce is how many candidates are read at a time, at the least.
const comparedAtOnce = 32

// judging is candidates being read, first those that can have the highest score.
type judging struct {
	s    *searching
	left []*rank.Candidate
	out  []*standing.Found // those that were asked for, best first
}

// judge reads candidates, leaves out what was not asked for and puts the rest in
// order. It does not read those that no factor can bring among the first so many.
func (j *judging) judge(rd *trust.Reading, want int) error {
	for {
		part := j.next(want)
		if len(part) == 0 {
			return nil
		}
		ids := make([]memory.ID, len(part))
		for i, c := range part {
			ids[i] = c.ID
		}
		items, err := rd.Get(ids...)
		if err != nil {
			return err
		}
		var page []*standing.Found
		for i, it := range items {
			f, err := j.s.judgeOne(rd, part[i], it)
			if err != nil {
				return err
			}
			if f != nil {
				page = append(page, f)
			}
		}
		if page, err = j.s.weigh(rd, page); err != nil {
			return err
		}
		slices.SortFunc(page, byRank)
		j.out = merged(j.out, page)
	}
}

func byRank(a, b *standing.Found) int { return rank.Compare(a.Ranked(), b.Ranked()) }

// merged joins two lists that are in order: to sort them again for every page would cost more than to read it.
func merged(a, b []*standing.Found) []*standing.Found {
	out := make([]*standing.Found, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if byRank(b[0], a[0]) < 0 {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// next takes the next candidates that may be among the first so many.
func (j *judging) next(want int) []*rank.Candidate {
	least := 0.0
	if len(j.out) >= want {
		least = rank.Score(j.out[want-1].Factors)
	}
	var part, left []*rank.Candidate
	for _, c := range j.left {
		if len(part) < max(comparedAtOnce, want) && j.s.mayEnter(c, least) {
			part = append(part, c)
		} else {
			left = append(left, c)
		}
	}
	j.left = left
	return part
}

// mayEnter reports whether a candidate that is left can have a given score.
func (s *searching) mayEnter(c *rank.Candidate, least float64) bool {
	return s.most(c) >= least
}

// most is the highest score that a candidate can have, of what is known without reading it. Raw words have no tier that
// lifts them; what is unknown is taken for the best.
func (s *searching) most(c *rank.Candidate) float64 {
	hit := s.hits[c.ID]
	tier, score, age := state.Grounded, s.topTrust.Any, time.Duration(0)
	if hit.Kind == memory.KindRaw {
		tier = ""
	}
	if hit.Past.Imported {
		score = s.topTrust.Imported
	}
	if !hit.Past.Before.IsZero() {
		age = s.now.Sub(hit.Past.Before)
	}
	return rank.Score(rank.Of(c.Relevance, tier, score, age))
}

// judgeOne reads one candidate; nil is not what was asked for.
func (s *searching) judgeOne(rd *trust.Reading, c *rank.Candidate, it *store.Item) (*standing.Found, error) {
	if it != nil {
		s.refs[it.Ref.ID] = it.Ref
	}
	if it == nil || it.Record == nil {
		return nil, nil // purged, or not held
	}
	if s.e.Elsewhere(it) {
		return nil, nil
	}
	f := &standing.Found{Item: it, C: c}
	if !s.keep.AsOf.IsZero() {
		var err error
		if f.Item, err = s.e.AsOf(rd, it, s.keep.AsOf.Time()); err != nil || f.Item == nil {
			return nil, err // the record was unknown then
		}
	}
	ok, err := s.asked(rd, f)
	if err != nil || !ok {
		return nil, err
	}
	return f, nil
}

// browse returns what passes the filters where nothing was asked in words: the most
// trusted first, then the newest.
func (s *searching) browse(rd *trust.Reading, spaces []string) ([]*standing.Found, error) {
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Hidden: s.hidden()}
	if len(s.keep.Tags) > 0 {
		q.Mark = index.TagMark(s.keep.Tags[0])
	}
	var out, page []*standing.Found
	flush := func() error {
		kept, err := s.weigh(rd, page)
		out, page = append(out, kept...), nil
		return err
	}
	for it, err := range s.e.Store.List(rd, q) {
		if err != nil {
			return nil, err
		}
		f, err := s.judgeOne(rd, &rank.Candidate{ID: it.Ref.ID, Relevance: 1}, it)
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
	slices.SortStableFunc(out, func(a, b *standing.Found) int {
		return cmp.Or(cmp.Compare(b.Rating.Score, a.Rating.Score), rank.Compare(a.Ranked(), b.Ranked()))
	})
	for want := s.limit; ; want *= 2 {
		lines, err := s.lines(rd, copied(out[:min(want, len(out))]))
		if err != nil || len(lines) >= s.limit || want >= len(out) {
			return lines[:min(s.limit, len(lines))], err
		}
	}
}

// browsePage is how many memories are weighed at a time.
const browsePage = 500
