package index

import "slices"

// propagate passes score from the best entries to their neighbours.
func (s *search) propagate() error {
	top := top{most: propagating, heap: make([]ranked, 0, propagating)}
	for vi, v := range s.views {
		start := s.start[vi]
		for _, entry := range s.touched[vi] {
			i := start + int(entry)
			if r := (ranked{int32(i), s.own[i]}); r.score >= top.least && top.takes(r) &&
				s.q.Propagates(int(v.head.Kinds[entry])) {
				top.add(r)
			}
		}
	}
	slices.SortFunc(top.heap, byRank)
	from, err := s.shown(top.heap)
	if err != nil {
		return err
	}
	type conversation struct {
		log     int
		session uint64
	}
	best := make(map[conversation]float32)
	for _, r := range from {
		v, vi, entry := s.where(r.i)
		s.lent(int(r.i)) // nothing yet: they are ranked with their neighbours
		no := v.head.session[entry]
		if no == 0 {
			continue
		}
		in := conversation{v.log, v.head.Sessions[no-1]}
		best[in] = max(best[in], r.score)
		s.propagateFrom(r, vi, entry, in.session, +1)
		s.propagateFrom(r, vi, entry, in.session, -1)
	}
	s.bestOf = make([][]float32, len(s.views))
	for vi, v := range s.views {
		s.bestOf[vi] = make([]float32, len(v.head.Sessions)+1)
		for i, session := range v.head.Sessions {
			s.bestOf[vi][i+1] = best[conversation{v.log, session}]
		}
	}
	return nil
}

// propagateFrom walks away from an entry and passes score to its neighbours in the session.
func (s *search) propagateFrom(from ranked, vi, entry int, session uint64, step int) {
	asks := s.views[vi].head.asks[entry]
	short := s.views[vi].head.Lengths[entry] <= shortText // a long one has all words
	log := s.views[vi].log
	for near, seen := 0, 0; near < len(neighbourParts) && seen < farthest; seen++ {
		for entry += step; entry < 0 || entry >= s.views[vi].head.Entries(); {
			if vi += step; vi < 0 || vi >= len(s.views) || s.views[vi].log != log {
				return
			}
			entry = 0
			if step < 0 {
				entry = s.views[vi].head.Entries() - 1
			}
		}
		h := s.views[vi].head
		no := h.session[entry]
		if no == 0 || h.Sessions[no-1] != session || !s.q.Propagates(int(h.Kinds[entry])) {
			continue
		}
		share := neighbourParts[near]
		if asks && near == 0 && step > 0 {
			share += answerPart
		}
		got := s.lent(s.start[vi] + entry)
		got.score += share * from.score
		if near == 0 && short {
			got.beside |= s.mask[from.i]
		}
		near++
	}
}

// lent returns what neighbours propagate to an entry.
func (s *search) lent(i int) *neighbours {
	if s.mask[i]&propagatedBit == 0 {
		s.mask[i] |= propagatedBit
		s.place[i] = uint32(len(s.near))
		s.near = append(s.near, neighbours{entry: i})
	}
	return &s.near[s.place[i]]
}
