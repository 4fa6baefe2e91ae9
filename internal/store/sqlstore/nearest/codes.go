package nearest

import (
	"errors"
	"sync"

	"github.com/stemma-memory/stemma/internal/vec"
)

// codes are the vectors of one model in 8 bits per number, in memory or in a file next to the
// database. The database has the truth: the codes are brought up to date before each search,
// and made again if they are not those of this store.
type codes struct {
	model string // its name

	mu     sync.RWMutex
	index  *vec.Index
	seen   int64 // how far the model's numbers went when index was last brought up to date
	loose  int   // vectors index has and its file has not
	filed  bool  // index is of a file
	closed bool
}

// allCodes are those of a Store, by model.
type allCodes struct {
	mu     sync.Mutex
	of     map[int]*codes
	closed bool
}

// The keys of codes are the keys of records, negated: among equals an index returns the lowest
// first, and the newest is wanted.
func codeOf(key int64) int64 { return -key }

func keyOf(code int64) int64 { return -code }

var errCodesClosed = errors.New("the store was closed")

func (a *allCodes) model(m Model, name string) *codes {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil {
		a.of = make(map[int]*codes)
	}
	if a.of[m.No] == nil {
		a.of[m.No] = &codes{model: name, closed: a.closed}
	}
	return a.of[m.No]
}

func (a *allCodes) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	var err error
	for _, c := range a.of {
		c.mu.Lock()
		c.closed = true
		err = errors.Join(err, c.shut())
		c.mu.Unlock()
	}
	return err
}

// shut closes the index, to be opened again.
func (c *codes) shut() error {
	if c.index == nil {
		return nil
	}
	err := c.index.Close()
	c.index, c.seen, c.loose, c.filed = nil, 0, 0, false
	return err
}

// forIndex separates vectors from keys that no longer have one.
func (p copied) forIndex() (put []vec.Vector, drop []int64) {
	for i, key := range p.keys {
		if p.vecs[i] == nil {
			drop = append(drop, codeOf(key))
		} else {
			put = append(put, vec.Vector{Key: codeOf(key), Values: p.vecs[i]})
		}
	}
	return put, drop
}
