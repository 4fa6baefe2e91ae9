package ledger

import (
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// A Source gives the ids from index from, counted from 0, up to and without to,
// in the order of the log. It gives as many as were asked for, or an error.
type Source func(from, to int64) ([]Hash, error)

// IDs is the Source that a slice is.
func IDs(ids []Hash) Source {
	return func(from, to int64) ([]Hash, error) {
		if from < 0 || from > to || to > int64(len(ids)) {
			return nil, fmt.Errorf("ids %d to %d of %d", from, to, len(ids))
		}
		return ids[from:to], nil
	}
}

// Ids are read in blocks; of a full block only its root is kept.
const (
	blockLevel = 6
	blockSize  = 1 << blockLevel
)

// A Tree gives proofs. It keeps two hashes for every 64 ids, and reads the ids
// themselves again where a proof goes through them. It is safe for concurrent
// use, if its source is, except while Extend runs.
type Tree struct {
	source Source
	size   int64
	upper  [][]Hash // upper[i][n] is the root of the nth 1<<(blockLevel+i) ids
}

// NewTree reads the first size ids of source.
func NewTree(source Source, size int64) (*Tree, error) {
	t := &Tree{source: source}
	if err := t.Extend(size); err != nil {
		return nil, err
	}
	return t, nil
}

// Size returns the number of ids in the tree.
func (t *Tree) Size() int64 { return t.size }

// Extend reads further ids, up to size in all. On an error the tree has the size
// that it had.
func (t *Tree) Extend(size int64) error {
	if err := checkSize(size); err != nil {
		return err
	}
	if size < t.size {
		return fmt.Errorf("a tree of %d ids does not shrink to %d", t.size, size)
	}
	for b := t.blocks(); b < size/blockSize; b++ {
		leaves, err := t.block(b, size)
		if err != nil {
			return err
		}
		t.push(subtree(leaves))
	}
	t.size = size
	return nil
}

// blocks counts the full blocks whose roots are kept.
func (t *Tree) blocks() int64 {
	if len(t.upper) == 0 {
		return 0
	}
	return int64(len(t.upper[0]))
}

// push keeps the root of the next full block, and those that it completes.
func (t *Tree) push(h Hash) {
	completed := bits.TrailingZeros64(^uint64(t.blocks()))
	for i := 0; ; i++ {
		if i == len(t.upper) {
			t.upper = append(t.upper, nil)
		}
		n := len(t.upper[i])
		t.upper[i] = append(t.upper[i], h)
		if i == completed {
			return
		}
		h = node(t.upper[i][n-1], h)
	}
}

// block reads the leaves of a block, as far as a tree of size has them.
func (t *Tree) block(b, size int64) ([]Hash, error) {
	from := b * blockSize
	to := min(from+blockSize, size)
	ids, err := t.source(from, to)
	if err != nil {
		return nil, fmt.Errorf("read ids from %d: %w", from, err)
	}
	if int64(len(ids)) != to-from {
		return nil, fmt.Errorf("read ids from %d: got %d, want %d", from, len(ids), to-from)
	}
	leaves := make([]Hash, len(ids))
	for i, id := range ids {
		leaves[i] = Leaf(id)
	}
	return leaves, nil
}

// subtree returns the root of leaves, whose number is a power of two. It works in
// their place.
func subtree(leaves []Hash) Hash {
	for n := len(leaves) / 2; n > 0; n /= 2 {
		for i := range n {
			leaves[i] = node(leaves[2*i], leaves[2*i+1])
		}
	}
	return leaves[0]
}

// reader reads nodes for one proof; it reads each block of ids once.
func (t *Tree) reader() tlog.HashReader {
	held := make(map[int64][]Hash)
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			level, n := tlog.SplitStoredHashIndex(index)
			if level >= blockLevel {
				out[i] = tlog.Hash(t.upper[level-blockLevel][n])
				continue
			}
			from := n << level
			b := from / blockSize
			if held[b] == nil {
				leaves, err := t.block(b, t.size)
				if err != nil {
					return nil, err
				}
				held[b] = leaves
			}
			within := held[b][from%blockSize:]
			out[i] = tlog.Hash(subtree(append([]Hash(nil), within[:1<<level]...)))
		}
		return out, nil
	})
}

// Root returns the root of the first size ids.
func (t *Tree) Root(size int64) (Hash, error) {
	if err := t.within(size); err != nil {
		return Hash{}, err
	}
	h, err := tlog.TreeHash(size, t.reader())
	return Hash(h), err
}

// Inclusion proves that the id at index, counted from 0, is among the first size.
func (t *Tree) Inclusion(index, size int64) (Proof, error) {
	if err := t.within(size); err != nil {
		return nil, err
	}
	if index < 0 || index >= size {
		return nil, fmt.Errorf("index %d is not in a tree of %d", index, size)
	}
	p, err := tlog.ProveRecord(size, index, t.reader())
	return proof(p), err
}

// Consistency proves that the first size ids begin with the first oldSize, of
// which there must be some.
func (t *Tree) Consistency(oldSize, size int64) (Proof, error) {
	if err := t.within(size); err != nil {
		return nil, err
	}
	if oldSize < 1 || oldSize > size {
		return nil, fmt.Errorf("a tree cannot grow from %d to %d", oldSize, size)
	}
	p, err := tlog.ProveTree(size, oldSize, t.reader())
	return proof(p), err
}

func (t *Tree) within(size int64) error {
	if size < 0 || size > t.size {
		return fmt.Errorf("size %d, the tree has %d ids", size, t.size)
	}
	return nil
}

func proof(hashes []tlog.Hash) Proof {
	p := make(Proof, len(hashes))
	for i, h := range hashes {
		p[i] = Hash(h)
	}
	return p
}
