package index

import (
	"math"
	"slices"
)

// Search scores the entries of views, which are in the order of their keys, and
// gives the best; of equals the newest first.
func Search(views []*View, q Query) ([]Hit, error) {
	s := newSearch(views, q)
	defer s.free()
	if err := s.score(); err != nil || s.none() {
		return nil, err
	}
	if err := s.propagate(); err != nil {
		return nil, err
	}
	return s.best()
}

// score adds up the terms of every entry that has one, view by view.
func (s *search) score() error {
	var words int64
	for _, v := range s.views {
		words += v.head.Total
	}
	mean := float32(float64(words) / float64(max(s.n, 1)))
	terms := make([]asked, 0, len(s.q.Terms))
	for i, t := range s.q.Terms {
		df := 0
		for _, v := range s.views {
			if l := v.lists[t]; l != nil {
				df += l.n
			}
		}
		rare := math.Log1p((float64(s.n-df) + 0.5) / (float64(df) + 0.5))
		s.full += rare
		if i < distinguished {
			s.rarity = append(s.rarity, float32(rare))
		}
		if df > 0 {
			s.total += rare
			terms = append(terms, newAsked(i, t, float32(rare), mean))
		}
	}
	s.unit = float32(1 / s.full)
	table := coverTable()
	return s.inViews(func(vi int) error {
		for i := range terms {
			if err := s.term(vi, &terms[i]); err != nil {
				return err
			}
		}
		for _, t := range s.q.Terms {
			if err := s.flag(vi, subjectMark+t, subjectBit); err != nil {
				return err
			}
		}
		if s.q.Prefer != "" {
			if err := s.flag(vi, s.q.Prefer, preferredBit); err != nil {
				return err
			}
		}
		own, held := s.own[s.start[vi]:], s.held[s.start[vi]:]
		for _, entry := range s.touched[vi] {
			own[entry] *= covered(table, float64(held[entry])/s.total)
		}
		return nil
	})
}

// An asked term is one of a question that some entry has.
type asked struct {
	text    string
	bit     uint32 // of the mask, 0 if it is not told apart
	rare    float32
	perWord float32              // how much a word of a record is held against it
	further float32              // and a word beyond the pivot, beside that
	usual   [usualLength]float32 // what it is worth in a record that has it once, by the length
}

// usualLength is the length up to which that is worked out beforehand.
const usualLength = 128

func newAsked(no int, text string, rare, mean float32) asked {
	t := asked{text: text, rare: rare, perWord: bm25K * bm25B / mean, further: bm25K * (1 - bm25B) / mean}
	if no < distinguished {
		t.bit = 1 << no
	}
	for length := range t.usual {
		t.usual[length] = t.worth(wordWeight, uint32(length))
	}
	return t
}

// worth is what the term is worth in a record of a length.
func (t *asked) worth(weight, length uint32) float32 {
	tf := float32(weight) / wordWeight
	norm := bm25K*(1-bm25B) + t.perWord*float32(length)
	if length > pivot {
		norm += t.further * float32(length-pivot)
	}
	return t.rare * tf * (bm25K + 1) / (tf + norm)
}

// term adds a term to the entries of one view.
func (s *search) term(vi int, t *asked) error {
	v := s.views[vi]
	l := v.lists[t.text]
	if l == nil {
		return nil
	}
	start, lengths := s.start[vi], v.head.Lengths
	if l.last >= len(lengths) {
		return ErrDamaged
	}
	end := start + len(lengths)
	own, held, mask, touched := s.own[start:end], s.held[start:end], s.mask[start:end], s.touched[vi]
	defer func() { s.touched[vi] = touched }()
	var p page
	for c := l.cursor(); ; {
		n, err := c.next(&p)
		if err != nil || n == 0 {
			return err
		}
		for i, entry := range p.entries[:n] {
			if int(entry) >= len(lengths) {
				continue // l.last was checked; a list that goes on beyond it is cut
			}
			if held[entry] == 0 {
				touched = append(touched, entry)
			}
			if length := lengths[entry]; p.weights[i] == wordWeight && length < usualLength {
				own[entry] += t.usual[length]
			} else {
				own[entry] += t.worth(p.weights[i], length)
			}
			held[entry] += t.rare
			mask[entry] |= t.bit
		}
	}
}

// flag sets a bit of those entries of one view, found by a term, that have a mark.
func (s *search) flag(vi int, term string, bit uint32) error {
	v := s.views[vi]
	l := v.lists[term]
	if l == nil {
		return nil
	}
	start, end := s.start[vi], s.start[vi]+v.head.Entries()
	held, mask := s.held[start:end], s.mask[start:end]
	var p page
	for c := l.cursor(); ; {
		n, err := c.next(&p)
		if err != nil || n == 0 {
			return err
		}
		for _, entry := range p.entries[:n] {
			if int(entry) < len(held) && held[entry] > 0 {
				mask[entry] |= bit
			}
		}
	}
}

// hit shows an entry.
func (s *search) hit(i int32) Hit {
	v, vi, entry := s.where(i)
	own, propagated, session := s.parts(v.head, vi, entry, int(i))
	return Hit{
		Key: v.head.Keys[entry], Kind: int(v.head.Kinds[entry]), Score: float64(own + propagated + session),
		Own: float64(own), Propagated: float64(propagated), Session: float64(session),
		Held:  float64(s.held[i]) / s.full,
		Terms: s.mask[i] &^ (subjectBit | propagatedBit | preferredBit), Past: v.past(entry),
	}
}

// mostPassed is how many hits that are not shown are given.
const mostPassed = 32

// best returns the hits, as many as are asked for. Some that rank high may turn
// out to be hidden, and then more are needed.
func (s *search) best() ([]Hit, error) {
	const spare = 64
	limit := s.q.Limit
	if limit <= 0 {
		limit = s.n
	}
	for ask := limit + spare; ; ask *= 4 {
		all, err := s.rank(ask)
		if err != nil {
			return nil, err
		}
		full := len(all) == ask
		may, shown, err := s.mayShow(all)
		if err != nil {
			return nil, err
		}
		if shown >= limit || !full {
			left, passed := min(limit, shown), 0
			hits := make([]Hit, 0, left)
			for i, r := range all {
				if left == 0 && (shown >= limit || !s.q.Passed) {
					break
				}
				if may[i] {
					left--
				} else if passed++; !s.q.Passed || passed > mostPassed {
					continue
				}
				h := s.hit(r.i)
				h.Hidden = !may[i]
				hits = append(hits, h)
			}
			return hits, nil
		}
	}
}

// rank returns the best entries of the kinds asked for. Those that propagated, or were propagated to, are scored first:
// what cannot reach the worst that is wanted of them is not scored. The rest is gone through in its order, which is
// quicker than to go through those found in theirs.
func (s *search) rank(most int) ([]ranked, error) {
	first := s.rankNear(most)
	parts := make([][]ranked, len(s.views), len(s.views)+1)
	err := s.inViews(func(vi int) (err error) {
		if s.q.Only != nil {
			parts[vi], err = s.rankOnly(vi, most)
		} else {
			parts[vi], err = s.rankIn(vi, most, first.least)
		}
		return err
	})
	if first.least > 0 {
		parts = append(parts, first.heap)
	}
	all := slices.Concat(parts...)
	slices.SortFunc(all, byRank)
	return all[:min(most, len(all))], err
}

// rankNear returns the best of the entries that have something of their neighbours. Its least is above 0 where they are
// as many as are wanted.
func (s *search) rankNear(most int) *top {
	t := &top{most: most}
	if len(s.q.Has) > 0 || s.q.Only != nil || s.views == nil {
		return t // few have what is asked for
	}
	for i := range s.near {
		at := s.near[i].entry
		v, vi, entry := s.where(int32(at))
		if own, propagated, session := s.parts(v.head, vi, entry, at); s.q.Kind(int(v.head.Kinds[entry])) {
			t.add(ranked{int32(at), own + propagated + session})
		}
	}
	return t
}

// mostWorth is what the factors of a record can make of it at the most, rounded or not.
func (s *search) mostWorth() float32 {
	worth := float32(1.0001)
	if s.q.Prefer != "" {
		worth *= preferFactor
	}
	if slices.ContainsFunc(s.views, func(v *View) bool {
		return slices.ContainsFunc(s.q.Terms, func(t string) bool { return v.lists[subjectMark+t] != nil })
	}) {
		worth *= subjectFactor
	}
	return worth
}

// rankIn returns the best of one view, in any order. With a floor those that have something of their neighbours are
// ranked already, and none of a lower score is wanted.
func (s *search) rankIn(vi, most int, floor float32) ([]ranked, error) {
	has := len(s.q.Has)
	var met []uint8
	if has > 0 {
		var err error
		if met, err = s.views[vi].met(s.q.Has); err != nil || met == nil {
			return nil, err
		}
	}
	top := top{most: most}
	wanted := make(map[uint16]bool)
	h, start := s.views[vi].head, s.start[vi]
	end := start + h.Entries()
	own, held, mask, bestOf := s.own[start:end], s.held[start:end], s.mask[start:end], s.bestOf[vi]
	last, takes, known := uint16(0), false, false
	unit := s.unit * s.mostWorth()
	ofSession := sessionPart * slices.Max(bestOf) // of a session
	least := floor / unit                         // an entry with nothing but a smaller own score is none of the best
	for entry, mine := range own {
		if floor > 0 && mine+ofSession < least {
			continue
		}
		if has > 0 && int(met[entry]) != has {
			continue
		}
		switch m := mask[entry]; {
		case m&propagatedBit != 0:
			if floor > 0 {
				continue
			}
		case held[entry] == 0 || mine+sessionPart*bestOf[h.session[entry]] < least:
			continue
		}
		mine, propagated, session := s.parts(h, vi, entry, start+entry)
		score := mine + propagated + session
		if score < floor || score < top.least {
			continue
		}
		if k := h.Kinds[entry]; !known || k != last {
			var is bool
			if takes, is = wanted[k]; !is {
				takes = s.q.Kind(int(k))
				wanted[k] = takes
			}
			last, known = k, true
		}
		if takes {
			top.add(ranked{int32(start + entry), score})
			least = max(floor, top.least) / unit
		}
	}
	return top.heap, nil
}
