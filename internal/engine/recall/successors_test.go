package recall

import (
	"encoding/binary"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// chained is revisions that replace each other, numbered from 1; the last is current.
type chained struct {
	last    int
	forward map[int]int // another successor than the next
	asked   int
	most    int // at once
}

func idOf(n int) (id memory.ID) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

func (c *chained) get(ids []memory.ID) ([]*store.Item, error) {
	c.asked, c.most = c.asked+1, max(c.most, len(ids))
	out := make([]*store.Item, len(ids))
	for i, id := range ids {
		n := int(binary.BigEndian.Uint32(id[:]))
		it := &store.Item{Ref: memory.Ref{Kind: memory.KindBelief, ID: id}, Record: &memory.Record{}}
		if next := c.forward[n]; next > 0 {
			it.State.SupersededBy = idOf(next)
		} else if n < c.last {
			it.State.SupersededBy = idOf(n + 1)
		}
		out[i] = it
	}
	return out, nil
}

func anywhere(string) bool { return true }

// A chain is walked to its current memory, and no further than the bounds say.
func TestSuccessorsAreBounded(t *testing.T) {
	for _, c := range []struct {
		what   string
		last   int
		from   []int
		found  int // of how many
		asked  int // at most
		atOnce int
	}{
		{"nine corrections", 10, []int{1}, 1, 10, 1},
		{"as many as are walked", mostSteps, []int{1}, 1, mostSteps, 1},
		{"one more", mostSteps + 1, []int{1}, 0, mostSteps, 1},
		{"ten thousand", 10_000, []int{1}, 0, mostSteps, 1},
		{"neighbours in one chain", 30, []int{20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12, 20, 12},
		{"far apart in one chain", 60, []int{1, 30, 59}, 3, 31, 3},
		{"the current one itself", 5, []int{5}, 0, 1, 1},
		{"the current one and the one before", 5, []int{5, 4}, 1, 1, 2},
		{"nothing", 5, nil, 0, 0, 0},
	} {
		s := &chained{last: c.last}
		var ids []memory.ID
		for _, n := range c.from {
			ids = append(ids, idOf(n))
		}
		found, first, err := successors(ids, anywhere, s.get)
		if err != nil || len(found) != c.found || len(first) != len(ids) || s.asked > c.asked || s.most > c.atOnce {
			t.Errorf("%s: %d found, asked %d times for %d at once, %v; want %d, at most %d, %d", c.what, len(found),
				s.asked, s.most, err, c.found, c.asked, c.atOnce)
		}
		for id, live := range found {
			if live != idOf(c.last) {
				t.Errorf("%s: of %s it found %s", c.what, id, live)
			}
		}
	}
}

// Many chains together are walked no further than one may be that many records long.
func TestManyChainsAreBoundedTogether(t *testing.T) {
	const chains = 20
	s := &chained{last: 1 << 20}
	var ids []memory.ID
	for n := range chains {
		ids = append(ids, idOf(1+n*1000))
	}
	found, _, err := successors(ids, anywhere, s.get)
	if read := s.asked * chains; err != nil || len(found) != 0 || read > mostVisited+chains {
		t.Errorf("%d found of chains without an end, %d records read, %v; want none and at most %d", len(found), read, err,
			mostVisited+chains)
	}
}

// Revisions that claim to replace each other, and one that is not read, have no successor.
func TestSuccessorsOfARing(t *testing.T) {
	s := &chained{last: 9, forward: map[int]int{3: 1, 9: 9}}
	found, _, err := successors([]memory.ID{idOf(2), idOf(1), idOf(9)}, anywhere, s.get)
	if err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	s = &chained{last: 3}
	found, _, err = successors([]memory.ID{idOf(1)}, func(string) bool { return false }, s.get)
	if err != nil || len(found) != 0 {
		t.Errorf("in a space that is not read: %v, %v", found, err)
	}
}
