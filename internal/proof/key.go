package proof

import (
	"encoding/binary"

	"github.com/stemma-memory/stemma/memory"
)

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

func (b *Book) isSound(k key) (bool, error) {
	if b.sound[k] {
		return true, nil
	}
	_, found, err := b.base.find(k)
	return found, err
}

// Hash is what a claim adds to the sum of what it speaks of.
func (b *Book) Hash(id memory.ID) Sum {
	m := b.seal.Mark("claim", id[:])
	return Sum{binary.BigEndian.Uint64(m[:8]), binary.BigEndian.Uint64(m[8:16])}
}

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
