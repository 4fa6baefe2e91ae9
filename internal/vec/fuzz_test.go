package vec

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// mend puts right the checksums of what looks like an index, so that Open reads
// on: whoever harms a file on purpose would do so too.
func mend(b []byte, h Header) {
	if len(b) < headerSize {
		return
	}
	copy(b, h.encode())
	for at := int64(headerSize); int64(len(b))-at >= headerSize; {
		copy(b[at:], blockMagic)
		head := b[at : at+headerSize]
		le.PutUint32(head[sumAt:], checksum(head[:sumAt]))
		decoded, ok := readBlockHeader(head)
		if !ok {
			return
		}
		_, _, _, length := decoded.sections(strideOf(h.Dims))
		if length > int64(len(b))-at {
			return
		}
		decoded.sum = checksum(b[at+headerSize : at+length])
		decoded.encode(head)
		at += length
	}
}

// Whatever is in a file, Open refuses it or gives an index that can be used.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "v")
	vs := random(20, 12, small.Dims)
	vs[5].Key, vs[6].Key = math.MinInt64, math.MaxInt64
	write(f, path, small, 1, vs[:4])
	f.Add(contents(f, path), false)
	appendTo(f, path, small, 2, vs[4:], 1, 2)
	f.Add(contents(f, path), false)
	f.Add(contents(f, path), true)
	f.Add(contents(f, path)[:700], true)
	nan := contents(f, path)
	for i := range 64 {
		nan[headerSize*2+align+i] = 0xff // scales
	}
	f.Add(nan, true)
	f.Add(slices.Concat(small.encode(), make([]byte, 128)), true)
	f.Add([]byte(fileMagic), false)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, b []byte, mended bool) {
		if mended {
			mend(b, small)
		}
		path := filepath.Join(dir, "fuzzed")
		put(t, path, b)
		x, err := Open(path, small)
		if err != nil {
			if !Rebuild(err) {
				t.Fatalf("%v is no error to rebuild for", err)
			}
			return
		}
		hits := find(t, x, vs[0].Values, 5, nil)
		if len(hits) > x.Len() {
			t.Errorf("%d hits of %d vectors", len(hits), x.Len())
		}
		for _, h := range hits {
			if h.Score != h.Score {
				t.Errorf("key %d was found with a score of NaN", h.Key)
			}
		}
		_ = x.Check()
		mark := x.Mark()
		if err := x.Add(mark+1, vs[:1], []int64{3}); err != nil {
			t.Error(err)
		}
		closeIt(t, x)
		w := edit(t, path, small)
		if err := w.Append(mark+1, vs[:1], []int64{3}); err != nil {
			t.Error(err)
		}
		if err := w.Compact(); err != nil {
			t.Error(err)
		}
		n := w.x.Len()
		closeIt(t, w)
		if x, err = Open(path, small); err != nil {
			t.Fatal(err)
		}
		if x.Mark() != mark+1 || x.Len() != n {
			t.Errorf("compacted it has %d at mark %d, want %d at %d", x.Len(), x.Mark(), n, mark+1)
		}
		closeIt(t, x)
	})
}
