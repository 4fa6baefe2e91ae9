package ledger

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// testIDs returns n ids that differ.
func testIDs(n int) []Hash {
	ids := make([]Hash, n)
	for i := range ids {
		binary.BigEndian.PutUint64(ids[i][:], uint64(i))
		ids[i] = Leaf(ids[i])
	}
	return ids
}

// stored keeps all nodes of a tree, as tlog does: what ours is compared with.
type stored []tlog.Hash

func (s *stored) append(t testing.TB, n int64, id Hash) {
	t.Helper()
	hashes, err := tlog.StoredHashes(n, id[:], s)
	if err != nil {
		t.Fatal(err)
	}
	*s = append(*s, hashes...)
}

func (s *stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, n := range indexes {
		out[i] = (*s)[n]
	}
	return out, nil
}

func (s *stored) root(t testing.TB, size int64) Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, s)
	if err != nil {
		t.Fatal(err)
	}
	return Hash(h)
}

func TestTheFrontierHasTheRootOfTheWholeTree(t *testing.T) {
	const most = 1030
	ids := testIDs(most)
	var all stored
	var f Frontier
	for size := int64(0); ; size++ {
		if got, want := f.Size(), size; got != want {
			t.Fatalf("Size() = %d, want %d", got, want)
		}
		if got, want := f.Root(), all.root(t, size); got != want {
			t.Fatalf("size %d: root %x, want %x", size, got, want)
		}
		b, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again Frontier
		if err := again.UnmarshalBinary(b); err != nil || again != f {
			t.Fatalf("size %d: read again it differs: %v", size, err)
		}
		if size == most {
			return
		}
		all.append(t, size, ids[size])
		if size%2 == 0 {
			f = again // and goes on from what was read
		}
		f.Append(ids[size])
	}
}

func TestAppendingTogetherIsAppendingOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ids := testIDs(5000)
	var one, many Frontier
	for len(ids) > 0 {
		n := min(rng.IntN(300), len(ids))
		for _, id := range ids[:n] {
			one.Append(id)
		}
		many.Append(ids[:n]...)
		ids = ids[n:]
		if one != many || one.Root() != many.Root() {
			t.Fatalf("at %d they differ", one.Size())
		}
	}
}

func TestACopiedFrontierIsItsOwn(t *testing.T) {
	ids := testIDs(4)
	var f Frontier
	f.Append(ids[:3]...)
	before := f.Root()
	g := f
	g.Append(ids[3])
	if got := f.Root(); got != before {
		t.Errorf("root %x after another grew, want %x", got, before)
	}
}

func TestAFrontierIsReadStrictly(t *testing.T) {
	var f Frontier
	f.Append(testIDs(5)...)
	good, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(good), 8+2*32; got != want {
		t.Fatalf("%d bytes, want %d", got, want)
	}
	sized := func(size uint64, hashes int) []byte {
		return append(binary.BigEndian.AppendUint64(nil, size), make([]byte, 32*hashes)...)
	}
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"seven bytes":    good[:7],
		"no hashes":      good[:8],
		"a hash less":    good[:len(good)-32],
		"a byte less":    good[:len(good)-1],
		"a byte more":    append(bytes.Clone(good), 0),
		"a hash more":    append(bytes.Clone(good), make([]byte, 32)...),
		"another size":   sized(7, 2),
		"negative":       sized(1<<63, 1),
		"too large":      sized(MaxSize+1, 2),
		"all bits":       sized(1<<64-1, 64),
		"empty and more": sized(0, 1),
	} {
		g := f
		if err := g.UnmarshalBinary(b); err == nil {
			t.Errorf("%s: accepted", name)
		} else if g != f {
			t.Errorf("%s: refused, and changed", name)
		}
	}
	var largest Frontier
	if err := largest.UnmarshalBinary(sized(MaxSize, 1)); err != nil {
		t.Fatal(err)
	}
	if b, err := largest.MarshalBinary(); err != nil || !bytes.Equal(b, sized(MaxSize, 1)) {
		t.Errorf("the largest tree is written as %x, %v", b, err)
	}
	largest.Append(testIDs(3)...) // and is no reason to panic
	largest.Root()
}

func FuzzFrontier(f *testing.F) {
	f.Add(make([]byte, 8))
	f.Add(append(binary.BigEndian.AppendUint64(nil, 1), make([]byte, 32)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var g Frontier
		if g.UnmarshalBinary(b) != nil {
			return
		}
		if got, err := g.MarshalBinary(); err != nil || !bytes.Equal(got, b) {
			t.Errorf("read %x, wrote %x", b, got)
		}
		g.Root()
		g.Append(Hash{})
	})
}

func BenchmarkFrontierAppend(b *testing.B) {
	var f Frontier
	var id Hash
	for i := range b.N {
		binary.BigEndian.PutUint64(id[:], uint64(i))
		f.Append(id)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ids/s")
}

// Trees that were made apart, of 8 ids each but the last, give the tree of all.
func TestJoinedFrontiersAreOneTree(t *testing.T) {
	const part = 8
	ids := testIDs(5*part + 3)
	for size := range len(ids) {
		var whole, joined Frontier
		whole.Append(ids[:size]...)
		for from := 0; from < size; from += part {
			var f Frontier
			f.Append(ids[from:min(from+part, size)]...)
			joined.Join(f)
		}
		if joined != whole {
			t.Errorf("%d ids: joined frontiers are of another tree", size)
		}
	}
}
