package ledger

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// A Frontier is the right edge of a tree: all that is needed to append to it and
// to give its root. The zero Frontier is the empty tree's. Frontiers may be
// copied, and are of the same tree if they are ==.
type Frontier struct {
	size int64
	edge [levels + 1]Hash // edge[i] is the full tree of 1<<i ids, where bit i of size is set
}

// Append adds ids at the right.
func (f *Frontier) Append(ids ...Hash) {
	for _, id := range ids {
		f.push(0, Leaf(id))
	}
}

// Join appends the ids of another tree. The size of f must be a multiple of that of next's greatest full tree.
func (f *Frontier) Join(next Frontier) {
	for level, tree := range slices.Backward(next.edge[:]) {
		if next.size>>level&1 == 1 {
			f.push(level, tree)
		}
	}
}

// push adds a full tree of 1<<level ids.
func (f *Frontier) push(level int, h Hash) {
	f.size += 1 << level
	for ; f.edge[level] != (Hash{}); level++ {
		h = node(f.edge[level], h)
		f.edge[level] = Hash{}
	}
	f.edge[level] = h
}

// Size returns the number of ids in the tree.
func (f *Frontier) Size() int64 { return f.size }

// Root returns the root of the tree.
func (f *Frontier) Root() Hash {
	if f.size == 0 {
		return EmptyRoot()
	}
	level := bits.TrailingZeros64(uint64(f.size))
	h := f.edge[level]
	for level++; level < len(f.edge); level++ {
		if f.size>>level&1 == 1 {
			h = node(f.edge[level], h)
		}
	}
	return h
}

const sizeBytes = 8

// MarshalBinary returns the size, in 8 bytes, and the hashes of the full trees,
// the greatest first.
func (f *Frontier) MarshalBinary() ([]byte, error) {
	b := make([]byte, sizeBytes, sizeBytes+ones(f.size)*len(Hash{}))
	binary.BigEndian.PutUint64(b, uint64(f.size))
	for i, tree := range slices.Backward(f.edge[:]) {
		if f.size>>i&1 == 1 {
			b = append(b, tree[:]...)
		}
	}
	return b, nil
}

// UnmarshalBinary reads what MarshalBinary gives. The number of hashes must be
// that of the size. On an error f is left as it was.
func (f *Frontier) UnmarshalBinary(b []byte) error {
	if len(b) < sizeBytes {
		return fmt.Errorf("frontier: %d bytes are too few", len(b))
	}
	size := binary.BigEndian.Uint64(b)
	if size > MaxSize {
		return fmt.Errorf("frontier: size %d is out of range", size)
	}
	rest := b[sizeBytes:]
	if want := ones(int64(size)) * len(Hash{}); len(rest) != want {
		return fmt.Errorf("frontier: %d bytes of hashes, a tree of %d has %d", len(rest), size, want)
	}
	read := Frontier{size: int64(size)}
	for i := range slices.Backward(read.edge[:]) {
		if size>>i&1 == 1 {
			rest = rest[copy(read.edge[i][:], rest):]
		}
	}
	*f = read
	return nil
}
