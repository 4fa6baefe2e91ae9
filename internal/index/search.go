package index

import "math"

// Search scores the entries of views, which are in the order of their keys, and
// gives the best; of equals the newest first.
func Search(views []*View, q Query) ([]Hit, error) {
	s := newSearch(views, q)
	defer s.free()
	if err := s.score(); err != nil || len(s.touched) == 0 {
		return nil, err
	}
	if err := s.propagate(); err != nil {
		return nil, err
	}
	return s.best()
}

// score adds up the terms of every entry that has one.
func (s *search) score() error {
	var words int64
	for _, v := range s.views {
		words += v.head.Total
	}
	mean := float64(words) / float64(max(s.n, 1))
	total := 0.0
	for i, t := range s.q.Terms {
		df := 0
		for _, v := range s.views {
			if l := v.lists[t]; l != nil {
				df += l.n
			}
		}
		rare := math.Log1p((float64(s.n-df) + 0.5) / (float64(df) + 0.5))
		s.full += rare
		if df > 0 {
			total += rare
			if err := s.term(i, t, float32(rare), float32(mean)); err != nil {
				return err
			}
		}
	}
	s.unit = float32(1 / s.full)
	for i := range s.q.Terms {
		if err := s.subject(subjectMark + s.q.Terms[i]); err != nil {
			return err
		}
	}
	for _, i := range s.touched {
		s.own[i] *= covered(float64(s.held[i]) / total)
	}
	return nil
}

func (s *search) term(no int, term string, rare, mean float32) error {
	bit := uint32(0)
	if no < distinguished {
		bit = 1 << no
	}
	perWord := bm25K * bm25B / mean // of a record
	for vi, v := range s.views {
		l := v.lists[term]
		if l == nil {
			continue
		}
		start, lengths := s.start[vi], v.head.Lengths
		if l.last >= len(lengths) {
			return ErrDamaged
		}
		own, held, mask := s.own[start:start+len(lengths)], s.held[start:start+len(lengths)], s.mask[start:start+len(lengths)]
		err := l.each(func(entry, weight int) {
			if entry >= len(lengths) {
				return // l.last was checked; a list that goes on beyond it is cut
			}
			if held[entry] == 0 {
				s.touched = append(s.touched, int32(start+entry))
			}
			tf := float32(weight) / wordWeight
			own[entry] += rare * tf * (bm25K + 1) / (tf + bm25K*(1-bm25B) + perWord*float32(lengths[entry]))
			held[entry] += rare
			mask[entry] |= bit
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *search) subject(term string) error {
	for vi, v := range s.views {
		l := v.lists[term]
		if l == nil {
			continue
		}
		err := l.each(func(entry, _ int) {
			if i := s.start[vi] + entry; entry < v.head.Entries() && s.held[i] > 0 {
				s.mask[i] |= subjectBit
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// coverSteps is how finely the share of what was asked for is told apart.
const coverSteps = 1024

var coverTable = func() (t [coverSteps + 1]float32) {
	for i := range t {
		t[i] = float32(math.Pow(float64(i)/coverSteps, coverage))
	}
	return t
}()

func covered(share float64) float32 {
	return coverTable[min(max(int(share*coverSteps+0.5), 1), coverSteps)]
}

// fit is how much what neighbours say counts for a record.
func fit(length uint32) float32 { return min(1, shortText/float32(max(length, 1))) }

// parts returns what the score of an entry is made of; their sum is the score.
func (s *search) parts(h *Head, vi, entry, i int) (own, propagated, session float32) {
	worth := s.unit
	if h.asks[entry] {
		worth *= questionFactor
	}
	mask := s.mask[i]
	if mask&subjectBit != 0 {
		worth *= subjectFactor
	}
	near := worth * fit(h.Lengths[entry])
	if mask&propagatedBit != 0 {
		propagated = near * s.propagated[int32(i)]
	}
	return worth * s.own[i], propagated, near * sessionPart * s.bestOf[vi][h.session[entry]]
}

// hit shows an entry.
func (s *search) hit(i int32) Hit {
	v, vi, entry := s.where(i)
	own, propagated, session := s.parts(v.head, vi, entry, int(i))
	return Hit{
		Key: v.head.Keys[entry], Kind: int(v.head.Kinds[entry]), Score: float64(own + propagated + session),
		Own: float64(own), Propagated: float64(propagated), Session: float64(session),
		Terms: s.mask[i] &^ (subjectBit | propagatedBit),
	}
}

// best returns the hits, as many as are asked for. Some that rank high may turn
// out to be hidden, and then more are needed.
func (s *search) best() ([]Hit, error) {
	const spare = 64
	limit := s.q.Limit
	if limit <= 0 {
		limit = s.n
	}
	for ask := limit + spare; ; ask *= 4 {
		all := s.rank(ask)
		full := len(all) == ask
		all, err := s.shown(all)
		if err != nil {
			return nil, err
		}
		if len(all) >= limit || !full {
			hits := make([]Hit, min(limit, len(all)))
			for n := range hits {
				hits[n] = s.hit(all[n].i)
			}
			return hits, nil
		}
	}
}

// rank returns the best entries of the kinds asked for. It goes through all there
// are in their order, which is quicker than to go through those found in theirs.
func (s *search) rank(most int) []ranked {
	top := newTop(most, s.byRank)
	wanted := make(map[uint16]bool)
	for vi, v := range s.views {
		h, start := v.head, s.start[vi]
		end := start + h.Entries()
		held, mask := s.held[start:end], s.mask[start:end]
		last, takes, asked := uint16(0), false, false
		for entry := range held {
			if held[entry] == 0 && mask[entry]&propagatedBit == 0 {
				continue
			}
			own, propagated, session := s.parts(h, vi, entry, start+entry)
			score := own + propagated + session
			if score < top.least {
				continue
			}
			if k := h.Kinds[entry]; !asked || k != last {
				var known bool
				if takes, known = wanted[k]; !known {
					takes = s.q.Kind(int(k))
					wanted[k] = takes
				}
				last, asked = k, true
			}
			if takes {
				top.add(ranked{int32(start + entry), score})
			}
		}
	}
	return top.sorted()
}
