package vec

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// A file cut anywhere behind the first batch is the file before the batch that
// the cut goes through; a writer cuts off the rest and goes on.
func TestATornBatchIsCutOff(t *testing.T) {
	dir := t.TempDir()
	path, torn := filepath.Join(dir, "v"), filepath.Join(dir, "torn")
	vs := random(5, 30, 32)
	var ends []int
	for i := range 3 {
		if i == 0 {
			write(t, path, small, 1, vs[:10])
		} else {
			appendTo(t, path, small, uint64(i+1), vs[10*i:10*(i+1)])
		}
		ends = append(ends, len(contents(t, path)))
	}
	whole := contents(t, path)
	sizes := slices.Clone(ends)
	for size := 0; size < len(whole); size += 7 {
		sizes = append(sizes, size)
	}
	for _, size := range sizes {
		for _, tail := range [][]byte{nil, make([]byte, len(whole)-size)} {
			b := slices.Concat(whole[:size], tail)
			put(t, torn, b)
			n := 0 // whole batches
			for n < len(ends) && len(b) >= ends[n] && bytes.Equal(b[:ends[n]], whole[:ends[n]]) {
				n++
			}
			if n == 0 {
				if x, err := Open(torn, small); !Rebuild(err) {
					t.Fatalf("Open of the first %d bytes: %v, %v, want an error to rebuild for", size, x, err)
				}
				continue
			}
			same(t, torn, small, uint64(n), vs[:10*n])
			w := edit(t, torn, small)
			if got := len(contents(t, torn)); got != ends[n-1] {
				t.Fatalf("Edit of the first %d bytes leaves %d, want %d", size, got, ends[n-1])
			}
			if err := w.Append(9, vs[10*n:], nil); err != nil {
				t.Fatal(err)
			}
			closeIt(t, w)
			same(t, torn, small, 9, vs)
			if t.Failed() {
				t.Fatalf("first %d bytes, then %d zeros", size, len(tail))
			}
		}
	}
}

// A batch of several blocks counts when the last of them is there.
func TestABatchOfManyBlocksIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path, torn := filepath.Join(dir, "v"), filepath.Join(dir, "torn")
	wide, vs := Header{"m", 1 << 15}, random(6, 150, 1<<15) // 128 in a block
	write(t, path, wide, 1, vs[:20])
	before := len(contents(t, path))
	appendTo(t, path, wide, 2, vs[20:], 3)
	whole := contents(t, path)
	for _, size := range []int{before + 10, before + 1<<20, before + 129<<15, len(whole) - 1} {
		put(t, torn, whole[:size])
		same(t, torn, wide, 1, vs[:20])
	}
	write(t, path, wide, 1, vs)
	put(t, torn, contents(t, path)[:130<<15])
	if x, err := Open(torn, wide); !errors.Is(err, ErrDamaged) {
		t.Errorf("Open of a batch without its end: %v, %v, want ErrDamaged", x, err)
	}
}

// Harm to a byte that is not vectors' is noticed by Open, or at least makes the
// file no more than it was before the last batch; Check notices all of it.
func TestHarmIsNoticed(t *testing.T) {
	dir := t.TempDir()
	path, harmed := filepath.Join(dir, "v"), filepath.Join(dir, "harmed")
	vs := random(7, 9, 32)
	write(t, path, small, 1, vs[:3])
	second := len(contents(t, path))
	appendTo(t, path, small, 2, vs[3:6])
	third := len(contents(t, path))
	appendTo(t, path, small, 3, vs[6:])
	whole := contents(t, path)
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 1
		put(t, harmed, b)
		x, err := Open(harmed, small)
		inHeader := i < 2*headerSize || i >= second && i < second+headerSize
		switch {
		case err != nil:
			if !Rebuild(err) || i >= 16 && !errors.Is(err, ErrDamaged) {
				t.Errorf("byte %d: %v, want ErrDamaged", i, err)
			}
			continue
		case inHeader:
			t.Errorf("byte %d of a header: no error", i)
		case i >= third:
			if got := x.Mark(); got != 2 {
				t.Errorf("byte %d of the last block: mark %d, want 2", i, got)
			}
		default:
			if err := x.Check(); !errors.Is(err, ErrDamaged) {
				t.Errorf("byte %d: Check: %v, want ErrDamaged", i, err)
			}
		}
		find(t, x, vs[0].Values, 9, nil)
		closeIt(t, x)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	if _, err := Open(path, small); !errors.Is(err, fs.ErrNotExist) || !Rebuild(err) {
		t.Errorf("Open of no file: %v, want fs.ErrNotExist", err)
	}
	vs := random(8, 3, 32)
	for _, tt := range []struct {
		h    Header
		want error
	}{{Header{"other", 32}, ErrForeign}, {Header{"m", 31}, ErrForeign}, {Header{"m", 64}, ErrForeign}} {
		write(t, path, tt.h, 1, random(8, 3, tt.h.Dims))
		if _, err := Open(path, small); !errors.Is(err, tt.want) || !Rebuild(err) {
			t.Errorf("Open of %v: %v, want %v", tt.h, err, tt.want)
		}
		if _, err := Edit(path, small); !errors.Is(err, tt.want) {
			t.Errorf("Edit of %v: %v, want %v", tt.h, err, tt.want)
		}
		write(t, path, small, 1, vs) // nothing is locked
		same(t, path, small, 1, vs)
	}
	newer := contents(t, path)
	newer[8] = version + 1
	put(t, path, newer)
	if _, err := Open(path, small); !errors.Is(err, ErrForeign) {
		t.Errorf("Open of a newer version: %v, want ErrForeign", err)
	}
	put(t, path, []byte("SQLite format 3\x00 and so on"))
	if _, err := Open(path, small); !errors.Is(err, ErrDamaged) {
		t.Errorf("Open of something else: %v, want ErrDamaged", err)
	}
	if _, err := Open(path, Header{}); err == nil || Rebuild(err) {
		t.Errorf("Open with no dimensions: %v, want an error not to rebuild for", err)
	}
}

// A file with right checksums can still contradict itself.
func TestAFileThatContradictsItselfIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	vs := random(16, 6, 32)
	write(t, path, small, 1, vs[:3])
	second := len(contents(t, path))
	appendTo(t, path, small, 2, vs[3:], 0, 1)
	whole := contents(t, path)
	tests := []struct {
		name string
		at   int // in the second block
		to   uint32
		want int // vectors; -1: refused
	}{
		{"as it is", 4, 3, 4},
		{"rows before it that are not there", 12, 4, -1},
		{"fewer rows before it than there are", 12, 2, -1},
		{"a row of its own is gone", headerSize, 3, -1},
		{"a row far away is gone", headerSize, 1<<32 - 1, -1},
		{"one row is gone twice", headerSize, 1, 5},
		{"more rows are gone than there are", 8, 4, -1},
	}
	for _, tt := range tests {
		b := slices.Clone(whole)
		le.PutUint32(b[second+tt.at:], tt.to)
		mend(b, small)
		put(t, path, b)
		x, err := Open(path, small)
		if tt.want < 0 {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v, want ErrDamaged", tt.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := x.Len(); got != tt.want {
			t.Errorf("%s: Len = %d, want %d", tt.name, got, tt.want)
		}
		closeIt(t, x)
	}
}
