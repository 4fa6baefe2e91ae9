package sqlstore

import (
	"sync"

	"github.com/stemma-memory/stemma/internal/index"
)

// mostTerms is about how many bytes of postings are remembered, twice.
const mostTerms = 32 << 20

// terms remembers the postings of terms in segments, which never change: those that were asked
// for lately.
type terms struct {
	mu          sync.Mutex
	now, before map[termIn]index.Postings // before is let go when now is full
	size        int                       // of now, in bytes
}

// A termIn is a term of one segment, which its head stands for.
type termIn struct {
	head *index.Head
	term string
}

// give puts into a view the terms that are known, and returns the others.
func (t *terms) give(v *index.View, h *index.Head, of []string) (unknown []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, term := range of {
		key := termIn{h, term}
		p, known := t.now[key]
		if !known {
			if p, known = t.before[key]; known {
				t.put(key, p)
			}
		}
		if known {
			v.Set(term, p)
		} else {
			unknown = append(unknown, term)
		}
	}
	return unknown
}

func (t *terms) keep(h *index.Head, term string, p index.Postings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(termIn{h, term}, p)
}

func (t *terms) put(key termIn, p index.Postings) {
	const entry = 128 // of the map, about
	if t.size += p.Size() + entry; t.now == nil || t.size > mostTerms {
		t.now, t.before, t.size = make(map[termIn]index.Postings), t.now, p.Size()+entry
	}
	t.now[key] = p
}

// unread remembers the words of what waits, made ready for a search.
type unread struct {
	mu    sync.Mutex
	known map[int]unreadSpace // by space
}

// An unreadSpace is what waited in a space: which records those were, and their segment.
type unreadSpace struct {
	waiting
	count, sum int64 // of the keys of those that were not purged
	head       *index.Head
	parts      [][]byte
}
