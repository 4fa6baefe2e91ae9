package vec

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A Vector is a key of the caller's and what it stands for. It need not be of
// length one.
type Vector struct {
	Key    int64
	Values []float32
}

// An Index finds the vectors nearest to another. Of several vectors put under
// one key it has the last. It is safe for concurrent use.
type Index struct {
	header Header
	stride int
	plain  bool // never use dotsFast; for tests

	mu     sync.RWMutex
	closed bool
	blocks []block
	rows   int
	gone   rowSet
	mark   uint64
	mapped []byte // blocks of a file, until Close

	path string
	info fs.FileInfo // of the file when it was opened
}

// New makes an empty index that is kept in memory alone.
func New(h Header) (*Index, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return &Index{header: h, stride: strideOf(h.Dims)}, nil
}

// Open reads an index from a file. What a writer left unfinished is not in it.
// It fails with ErrDamaged, ErrForeign or fs.ErrNotExist if the file must be
// written again. It does not read all of the vectors: see Check.
func Open(path string, want Header) (*Index, error) {
	x, err := open(path, want)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return x, nil
}

func open(path string, want Header) (*Index, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	x, _, err := load(file, path, want)
	return x, err
}

// load reads the index in file. The whole blocks of it end at end.
func load(file *os.File, path string, want Header) (x *Index, end int64, err error) {
	if x, err = New(want); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	found, err := survey(file, info.Size(), want)
	if err != nil {
		return nil, 0, err
	}
	// Only what is whole is mapped: a writer may cut off the rest at any time.
	if x.mapped, err = mapFile(file, found.end); err != nil {
		return nil, 0, err
	}
	for _, p := range found.blocks {
		x.adopt(p.slice(x.mapped[p.at:], x.stride))
	}
	x.gone.add(found.gone...)
	x.path, x.info = path, info
	return x, found.end, nil
}

// Current says whether the file is still as it was when the index was opened.
// If not, opening it again may find more. An index in memory is current.
func (x *Index) Current() bool {
	if x.path == "" {
		return true
	}
	now, err := os.Stat(x.path)
	return err == nil && os.SameFile(now, x.info) &&
		now.Size() == x.info.Size() && now.ModTime().Equal(x.info.ModTime())
}

// Mark is what the last batch said of how far the caller has come.
func (x *Index) Mark() uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.mark
}

// Len is the number of vectors.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.rows - x.gone.count
}

// Close gives up the file. It waits for searches under way; later ones fail.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	mapped := x.mapped
	x.closed, x.blocks, x.mapped = true, nil, nil
	return unmap(mapped)
}

// adopt takes in a block that follows those it has.
func (x *Index) adopt(b block) {
	x.blocks = append(x.blocks, b)
	x.rows += b.rows
	x.mark = b.mark
}

// rowsOf finds where the vectors of some keys are.
func (x *Index) rowsOf(keys map[int64]bool) []uint32 {
	if len(keys) == 0 {
		return nil
	}
	low, high := bounds(keys)
	var found []uint32
	for _, b := range x.blocks {
		if b.high < low || b.low > high {
			continue
		}
		for i := range b.rows {
			if key := b.key(i); key >= low && key <= high && keys[key] && !x.gone.has(b.first+i) {
				found = append(found, uint32(b.first+i))
			}
		}
	}
	return found
}

// A rowSet is a set of rows, by a bit for each.
type rowSet struct {
	bits  []uint64
	count int
}

func (s *rowSet) has(row int) bool {
	word := row / 64
	return word < len(s.bits) && s.bits[word]&(1<<(row%64)) != 0
}

func (s *rowSet) add(rows ...uint32) {
	for _, row := range rows {
		if s.has(int(row)) {
			continue
		}
		if word := int(row / 64); word >= len(s.bits) {
			s.bits = append(s.bits, make([]uint64, word+1-len(s.bits))...)
		}
		s.bits[row/64] |= 1 << (row % 64)
		s.count++
	}
}
