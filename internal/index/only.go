package index

import "slices"

// rankOnly returns the best of one view among those that are asked for, in any order.
func (s *search) rankOnly(vi, most int) ([]ranked, error) {
	h, start := s.views[vi].head, s.start[vi]
	if h.Entries() == 0 {
		return nil, nil
	}
	var met []uint8
	has := len(s.q.Has)
	if has > 0 {
		var err error
		if met, err = s.views[vi].met(s.q.Has); err != nil || met == nil {
			return nil, err
		}
	}
	top := top{most: most}
	from, _ := slices.BinarySearch(s.q.Only, h.Keys[0])
	for _, key := range s.q.Only[from:] {
		if key > h.Keys[h.Entries()-1] {
			break
		}
		entry, is := slices.BinarySearch(h.Keys, key)
		i := start + entry
		if !is || has > 0 && int(met[entry]) != has || s.held[i] == 0 && s.mask[i]&propagatedBit == 0 ||
			!s.q.Kind(int(h.Kinds[entry])) {
			continue
		}
		own, propagated, session := s.parts(h, vi, entry, i)
		top.add(ranked{int32(i), own + propagated + session})
	}
	return top.heap, nil
}
