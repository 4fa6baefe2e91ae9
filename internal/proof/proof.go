// Package proof remembers, outside of a store, which of its records were verified,
// what was said of each, and how long its logs were. What it remembers is marked
// with the person's seal, so that who writes into a store cannot write here.
//
// A Book has a base, which is sorted and read a page at a time, and a tail, to
// which every write adds. Losing either loses nothing: it is made again from the
// store.
package proof

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/memory"
)

// A Sum is what was said of a record: the sum of keyed hashes of the claims, in any
// order.
type Sum [2]uint64

// Plus returns the sum of two.
func (s Sum) Plus(o Sum) Sum {
	lo := s[0] + o[0]
	hi := s[1] + o[1]
	if lo < s[0] {
		hi++
	}
	return Sum{lo, hi}
}

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

func (b *Book) forget() {
	if b.base != nil {
		b.base.close()
	}
	b.begun, b.base, b.read, b.sound, b.said = false, nil, 0, nil, nil
}

// Hash is what a claim adds to the sum of what it speaks of.
func (b *Book) Hash(id memory.ID) Sum {
	m := b.seal.Mark("claim", id[:])
	return Sum{binary.BigEndian.Uint64(m[:8]), binary.BigEndian.Uint64(m[8:16])}
}

// A key is by what entries are found: the beginning of an id, and for what.
type key [16]byte

const (
	idPart    = 15
	soundMark = 0xff
)

func soundKey(id memory.ID) key {
	var k key
	copy(k[:idPart], id[:])
	k[idPart] = soundMark
	return k
}

func saidKey(ref memory.Ref) key {
	var k key
	copy(k[:idPart], ref.ID[:])
	for i := range len(ref.Kind) {
		k[idPart] = k[idPart]*31 + ref.Kind[i]
	}
	k[idPart] &^= 0x80 // never soundMark
	return k
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

func (b *Book) isSound(k key) (bool, error) {
	if b.sound[k] {
		return true, nil
	}
	_, found, err := b.base.find(k)
	return found, err
}

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

// readAll reads base and tail.
func (b *Book) readAll() error {
	base, err := openBase(filepath.Join(b.dir, baseFile), b)
	if err != nil {
		return err
	}
	b.base, b.sound, b.said = base, make(map[key]bool), make(map[key]Sum)
	b.begun = true
	return b.readTail()
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

// take takes one entry into account; one that is known already changes nothing.
func (b *Book) take(e *Entry) error {
	k := soundKey(e.ID)
	known, err := b.isSound(k)
	if err != nil || known {
		return err
	}
	b.sound[k] = true
	of := e.Of
	if e.Keys {
		of = append(of[:len(of):len(of)], AllKeys)
	}
	for _, ref := range of {
		k := saidKey(ref)
		s, ok := b.said[k]
		if !ok {
			if s, _, err = b.base.find(k); err != nil {
				return err
			}
		}
		b.said[k] = s.Plus(b.Hash(e.ID))
	}
	return nil
}
