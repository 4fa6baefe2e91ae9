// Package proof remembers, outside of a store, which of its records were verified,
// what was said of each, and how long its logs were. What it remembers is marked
// with the person's seal, so that who writes into a store cannot write here.
//
// A Book has a base, which is sorted and read a page at a time, and a tail, to
// which every write adds. Losing either loses nothing: it is made again from the
// store.
package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/memory"
)

// An Entry is a record that was verified: its id, and what it speaks of.
type Entry struct {
	ID   memory.ID
	Of   []memory.Ref // what it says something of, or replaces
	Keys bool         // it is a key record
}

// AllKeys is the ref under which the sum of all key records is kept.
var AllKeys = memory.Ref{Kind: "*keys"}

// A Book is what is remembered of one store. It is safe for concurrent use, and
// several processes may have the same one open.
type Book struct {
	dir  string
	seal *seal.Seal
	name []byte // of the store: marks are bound to it

	mu    sync.Mutex
	begun bool // base and tail were read
	base  *base
	read  int64 // bytes of the tail that were read
	sound map[key]bool
	said  map[key]Sum

	pending []byte // entries that are not written yet
}

// Open returns the book of a store, named by whatever tells it from others, in a data
// directory. It reads nothing yet, and makes nothing.
func Open(data string, s *seal.Seal, store string) *Book {
	mark := s.Mark("proof of", []byte(store))
	return &Book{dir: filepath.Join(data, "proof", fmt.Sprintf("%x", mark[:8])), seal: s, name: []byte(store)}
}

// Exists reports whether there is anything in it.
func (b *Book) Exists() bool {
	_, err := os.Stat(filepath.Join(b.dir, headsFile))
	return err == nil
}

// Remove forgets all of it.
func (b *Book) Remove() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	b.pending = nil
	return os.RemoveAll(b.dir)
}

// Sound reports whether a record was verified before.
func (b *Book) Sound(id memory.ID) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(); err != nil {
		return false, err
	}
	return b.isSound(soundKey(id))
}

// Count is how many records were verified.
func (b *Book) Count() (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(); err != nil {
		return 0, err
	}
	return b.count(), nil
}

func (b *Book) count() int64 { return b.base.sound + int64(len(b.sound)) }

// Said returns the sum of what was said of a record, zero where nothing was.
func (b *Book) Said(ref memory.Ref) (Sum, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(); err != nil {
		return Sum{}, err
	}
	k := saidKey(ref)
	if s, ok := b.said[k]; ok {
		return s, nil
	}
	s, _, err := b.base.find(k)
	return s, err
}

// begin reads what there is, once.
func (b *Book) begin() error {
	if b.begun {
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	return b.unmerged(b.readAll)
}

// unmerged reads while no one can put the tail into the base: who reads one before that and the other after it would
// miss what was put there.
func (b *Book) unmerged(read func() error) error {
	file, err := os.Open(filepath.Join(b.dir, tailFile))
	if err != nil {
		if err := readable(err); err != nil {
			return err
		}
		return read() // there is nothing to merge
	}
	defer file.Close() // and with it the lock
	if err := lock(file, false); err != nil {
		return err
	}
	return read()
}

// refresh takes in what others added since.
func (b *Book) refresh() error {
	if !b.begun {
		return b.begin()
	}
	if err := b.flush(); err != nil {
		return err
	}
	return b.unmerged(func() error {
		if b.base.replaced() {
			b.forget()
			return b.readAll()
		}
		return b.readTail()
	})
}
