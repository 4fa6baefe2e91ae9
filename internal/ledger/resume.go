package ledger

import "fmt"

// Blocks returns the roots of the full blocks of ids, in their order: all that a tree keeps by itself.
func (t *Tree) Blocks() []Hash {
	if len(t.upper) == 0 {
		return nil
	}
	return t.upper[0][:len(t.upper[0]):len(t.upper[0])]
}

// Resume makes a tree of size ids of which the roots of the first blocks are known, and reads the ids of the others.
// It believes the roots: a caller who knows the root of the tree compares.
func Resume(source Source, blocks []Hash, size int64) (*Tree, error) {
	if int64(len(blocks)) > size/blockSize {
		return nil, fmt.Errorf("%d blocks are more than %d ids have", len(blocks), size)
	}
	t := &Tree{source: source}
	for _, h := range blocks {
		t.push(h)
	}
	return t, t.Extend(size)
}
