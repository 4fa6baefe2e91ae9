package sqlstore

import (
	"maps"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A tallied is a count and how long it holds: until something comes into a log, or a
// claim dated ahead comes due.
type tallied struct {
	spaces []store.Space
	asked  []string
	made   int64 // milliseconds
	due    int64 // 0 is never
	counts map[memory.Kind]int
}

// until says that the count holds no longer than to a time; 0 says nothing.
func (n *tallied) until(due int64) {
	if due != 0 && (n.due == 0 || due < n.due) {
		n.due = due
	}
}

// tallies remembers the last count.
type tallies struct {
	mu   sync.Mutex
	last tallied
}

func (t *tallies) get(spaces []store.Space, asked []string, now int64) map[memory.Kind]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &t.last
	if l.counts == nil || now < l.made || l.due != 0 && l.due <= now || !slices.Equal(l.spaces, spaces) ||
		!slices.Equal(l.asked, asked) {
		return nil
	}
	return maps.Clone(l.counts)
}

func (t *tallies) put(n tallied) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = n
}
