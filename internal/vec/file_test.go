package vec

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

var small = Header{Model: "m", Dims: 32}

func each(vs []Vector) iter.Seq2[Vector, error] {
	return func(yield func(Vector, error) bool) {
		for _, v := range vs {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func write(tb testing.TB, path string, h Header, mark uint64, vs []Vector) {
	tb.Helper()
	if err := Write(path, h, mark, each(vs)); err != nil {
		tb.Fatal(err)
	}
}

func edit(tb testing.TB, path string, h Header) *Writer {
	tb.Helper()
	w, err := Edit(path, h)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func appendTo(tb testing.TB, path string, h Header, mark uint64, put []Vector, drop ...int64) {
	tb.Helper()
	w := edit(tb, path, h)
	if err := w.Append(mark, put, drop); err != nil {
		tb.Fatal(err)
	}
	closeIt(tb, w)
}

func closeIt(tb testing.TB, c interface{ Close() error }) {
	tb.Helper()
	if err := c.Close(); err != nil {
		tb.Fatal(err)
	}
}

// same fails unless the file holds the vectors and the mark.
func same(tb testing.TB, path string, h Header, mark uint64, vs []Vector) {
	tb.Helper()
	x, err := Open(path, h)
	if err != nil {
		tb.Fatal(err)
	}
	defer closeIt(tb, x)
	if err := x.Check(); err != nil {
		tb.Error(err)
	}
	if got := x.Mark(); got != mark {
		tb.Errorf("Mark = %d, want %d", got, mark)
	}
	if got, want := x.Len(), len(vs); got != want {
		tb.Errorf("Len = %d, want %d", got, want)
	}
	query := random(99, 1, h.Dims)[0].Values
	want := find(tb, inMemory(tb, h.Dims, vs), query, len(vs)+1, nil)
	if got := find(tb, x, query, len(vs)+1, nil); !slices.Equal(got, want) {
		tb.Errorf("the file finds %v, want %v", head(got), head(want))
	}
}

func head(hits []Hit) string { return fmt.Sprint(hits[:min(3, len(hits))], " of ", len(hits)) }

// noLeftovers fails if there is something between the parts of the last block.
func noLeftovers(t *testing.T, path string, h Header) {
	t.Helper()
	b := contents(t, path)
	found, err := survey(bytes.NewReader(b), int64(len(b)), h)
	if err != nil {
		t.Fatal(err)
	}
	last := found.blocks[len(found.blocks)-1]
	keys, scales, codes, end := last.sections(strideOf(h.Dims))
	rows, padding := int64(last.rows), 0
	for _, gap := range [][2]int64{
		{keys + 8*rows, scales}, {scales + 4*rows, codes}, {codes + int64(strideOf(h.Dims))*rows, end},
	} {
		between := b[last.at+gap[0] : last.at+gap[1]]
		padding += len(between)
		if !bytes.Equal(between, make([]byte, len(between))) {
			t.Errorf("bytes %d to %d of a block are not zeros", gap[0], gap[1])
		}
	}
	if padding == 0 {
		t.Fatal("nothing is between the parts: this test proves nothing")
	}
}

func TestAWriterBeginsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	w := edit(t, path, small)
	if got := w.Mark(); got != 0 {
		t.Errorf("Mark = %d, want 0", got)
	}
	closeIt(t, w)
	same(t, path, small, 0, nil)
	for _, name := range []string{path, path + lockSuffix} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != fileMode {
			t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, fileMode)
		}
	}
}

// Any order of putting, dropping, writing again and compacting, with the file
// opened again or not, gives what a map does.
func TestAFileIsLikeAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	path := filepath.Join(t.TempDir(), "v")
	all := random(3, 2000, 32)
	held := map[int64]Vector{}
	want := func() (vs []Vector) {
		for _, v := range held {
			vs = append(vs, v)
		}
		return vs
	}
	w := edit(t, path, small)
	for mark := uint64(1); mark <= 150; mark++ {
		var put []Vector
		var drop []int64
		for range r.IntN(40) {
			drop = append(drop, int64(r.IntN(200)-100))
		}
		for range r.IntN(40) {
			put = append(put, Vector{int64(r.IntN(200) - 100), all[r.IntN(len(all))].Values})
		}
		for _, key := range drop {
			delete(held, key)
		}
		for _, v := range put {
			held[v.Key] = v
		}
		if err := w.Append(mark, put, drop); err != nil {
			t.Fatal(err)
		}
		switch r.IntN(8) {
		case 0:
			if err := w.Compact(); err != nil {
				t.Fatal(err)
			}
			if got, want := len(w.x.blocks), 1; got != want {
				t.Errorf("%d blocks after Compact, want %d", got, want)
			}
		case 1:
			closeIt(t, w)
			w = edit(t, path, small)
		case 2:
			closeIt(t, w)
			write(t, path, small, mark, want())
			w = edit(t, path, small)
		}
		same(t, path, small, mark, want())
		if t.Failed() {
			t.Fatalf("at mark %d", mark)
		}
	}
	closeIt(t, w)
}

func TestThereIsOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	err := Write(path, small, 1, func(yield func(Vector, error) bool) {
		if _, err := Edit(path, small); !errors.Is(err, ErrBusy) {
			t.Errorf("Edit beside a Write: %v, want ErrBusy", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	w := edit(t, path, small)
	if _, err := Edit(path, small); !errors.Is(err, ErrBusy) {
		t.Errorf("a second Edit: %v, want ErrBusy", err)
	}
	if err := Write(path, small, 1, each(nil)); !errors.Is(err, ErrBusy) {
		t.Errorf("Write beside a Writer: %v, want ErrBusy", err)
	}
	if err := w.Compact(); err != nil { // which replaces the file
		t.Fatal(err)
	}
	if _, err := Edit(path, small); !errors.Is(err, ErrBusy) {
		t.Errorf("Edit after Compact: %v, want ErrBusy", err)
	}
	closeIt(t, w)
	closeIt(t, edit(t, path, small))
}

func TestAFailedWriteLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v")
	vs := random(10, 5, 32)
	write(t, path, small, 1, vs)
	cause := errors.New("the database is gone")
	err := Write(path, small, 2, func(yield func(Vector, error) bool) { _ = yield(vs[0], nil) && yield(Vector{}, cause) })
	if !errors.Is(err, cause) {
		t.Errorf("Write: %v, want %v", err, cause)
	}
	if err := Write(path, small, 2, each([]Vector{{1, nil}})); !errors.Is(err, ErrVector) {
		t.Errorf("Write of no vector: %v, want ErrVector", err)
	}
	w := edit(t, path, small)
	if err := w.Append(3, []Vector{vs[0], {7, nil}}, []int64{1}); !errors.Is(err, ErrVector) {
		t.Errorf("Append of no vector: %v, want ErrVector", err)
	}
	if err := w.Append(1, nil, nil); err != nil {
		t.Errorf("Append after one that was refused: %v", err)
	}
	closeIt(t, w)
	same(t, path, small, 1, vs)
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(names), 2; got != want {
		t.Errorf("files left: %v, want the index and its lock", names)
	}
	put(t, path+newSuffix, []byte("of a writer that crashed"))
	write(t, path, small, 4, vs)
	same(t, path, small, 4, vs)
}

// A key put again and again costs the same each time.
func TestARowIsGoneOnce(t *testing.T) {
	w := edit(t, filepath.Join(t.TempDir(), "v"), small)
	defer closeIt(t, w)
	for i, v := range random(15, 20, 32) {
		v.Key = 1
		before := w.end
		if err := w.Append(uint64(i), []Vector{v}, nil); err != nil {
			t.Fatal(err)
		}
		if got, want := w.end-before, int64(5*align); i > 0 && got != want {
			t.Fatalf("batch %d has %d bytes, want %d", i, got, want)
		}
	}
}

func TestAfterAFailureTheWriterIsDone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	vs := random(17, 2, 32)
	write(t, path, small, 1, vs[:1])
	w := edit(t, path, small)
	file := w.file
	var err error
	if w.file, err = os.Open(path); err != nil { // which cannot be written to
		t.Fatal(err)
	}
	first := w.Append(2, vs[1:], nil)
	closeIt(t, w.file)
	w.file = file
	if err := w.Append(2, vs[1:], nil); first == nil || err == nil {
		t.Errorf("Append to a file that cannot be written: %v, and again: %v, want errors", first, err)
	}
	if err := w.Compact(); err == nil {
		t.Error("Compact after a failure: no error")
	}
	closeIt(t, w)
	same(t, path, small, 1, vs[:1])
}

// What was dropped is on the disk until Compact.
func TestCompactRemovesTheBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	vs := random(11, 3, 32)
	write(t, path, small, 1, vs)
	codes := make([]byte, 32)
	if _, err := quantise(codes, vs[1].Values, 32); err != nil {
		t.Fatal(err)
	}
	w := edit(t, path, small)
	defer closeIt(t, w)
	if err := w.Append(2, nil, []int64{1}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(contents(t, path), codes) {
		t.Fatal("the codes are gone already: this test proves nothing")
	}
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(contents(t, path), codes) {
		t.Error("the codes of a dropped vector are still in the file")
	}
	same(t, path, small, 2, []Vector{vs[0], vs[2]})
}

func TestCurrentAndWorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	write(t, path, small, 1, nil)
	x, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt(t, x)
	current := func(what string, want bool) {
		t.Helper()
		if got := x.Current(); got != want {
			t.Errorf("%s: Current = %t, want %t", what, got, want)
		}
	}
	current("opened", true)
	closeIt(t, edit(t, path, small))
	current("a writer had nothing to write", true)
	appendTo(t, path, small, 2, nil)
	current("appended", false)
	if x, err = Open(path, small); err != nil {
		t.Fatal(err)
	}
	current("opened again", true)
	write(t, path, small, 2, nil)
	current("written anew", false)
	if x, err = Open(path, small); err != nil {
		t.Fatal(err)
	}
	write(t, path, small, 3, nil)
	if err := os.Chtimes(path, x.info.ModTime(), x.info.ModTime()); err != nil {
		t.Fatal(err)
	}
	current("written anew, of the same size and time", false)

	w := edit(t, path, small)
	defer closeIt(t, w)
	for i := range wornBlocks {
		if w.Worn() {
			t.Fatalf("worn after %d small batches", i)
		}
		if err := w.append(uint64(i), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !w.Worn() {
		t.Error("not worn")
	}
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	if w.Worn() {
		t.Error("worn after Compact")
	}
}

// Readers see whole batches while a writer writes: every vector of the mark.
func TestReadersNeedNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	const batches, per = 60, 20
	vs := random(13, batches*per, 32)
	write(t, path, small, 0, nil)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for last := uint64(0); ; {
				x, err := Open(path, small)
				if err != nil {
					t.Error(err)
					return
				}
				hits, err := x.Top(vs[0].Values, len(vs), nil)
				if got, want := len(hits), int(x.Mark())*per; err != nil || got != want || x.Mark() < last {
					t.Errorf("%d hits at mark %d after %d, want %d: %v", got, x.Mark(), last, want, err)
				}
				last = x.Mark()
				if err := errors.Join(x.Check(), x.Close()); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	w := edit(t, path, small)
	for i := range batches {
		if err := w.Append(uint64(i+1), vs[i*per:(i+1)*per], nil); err != nil {
			t.Error(err)
		}
		if i%10 == 9 {
			if err := w.Compact(); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	wg.Wait()
	closeIt(t, w)
}

// An index of a file can be added to in memory, where the file cannot be
// written.
func TestAFileIsAddedToInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	vs := random(14, 20, 32)
	write(t, path, small, 1, vs[:10])
	x, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt(t, x)
	if err := x.Add(2, vs[10:], []int64{0}); err != nil {
		t.Fatal(err)
	}
	want := find(t, inMemory(t, 32, vs[1:]), vs[3].Values, 99, nil)
	if got := find(t, x, vs[3].Values, 99, nil); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", head(got), head(want))
	}
	same(t, path, small, 1, vs[:10])
}

func contents(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func put(tb testing.TB, path string, b []byte) {
	tb.Helper()
	if err := os.WriteFile(path, b, fileMode); err != nil {
		tb.Fatal(err)
	}
}
