package store

// FirstHits returns the first of some hits: as many as count for a limit, and those passed before the last of them;
// 0 is all. full reports whether there were as many.
func FirstHits(hits []Hit, limit int) (first []Hit, full bool) {
	for i, n := 0, 0; limit > 0 && i < len(hits); i++ {
		if hits[i].Hidden {
			continue
		}
		if n++; n == limit {
			return hits[:i+1], true
		}
	}
	return hits, false
}
