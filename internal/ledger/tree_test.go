package ledger

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func newTree(t testing.TB, n int) (*Tree, []Hash) {
	t.Helper()
	ids := testIDs(n)
	tree, err := NewTree(IDs(ids), int64(n))
	if err != nil {
		t.Fatal(err)
	}
	return tree, ids
}

func rootAt(t testing.TB, tree *Tree, size int64) Hash {
	t.Helper()
	root, err := tree.Root(size)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestTheTreeHasTheRootsOfTheFrontier(t *testing.T) {
	const most = 5*blockSize/fewer + 7
	tree, ids := newTree(t, most)
	grown := &Tree{source: IDs(ids)}
	var f Frontier
	for size := int64(0); size <= most; size++ {
		if got, want := rootAt(t, tree, size), f.Root(); got != want {
			t.Fatalf("size %d: root %x, want %x", size, got, want)
		}
		if err := grown.Extend(size); err != nil {
			t.Fatal(err)
		}
		if got, want := rootAt(t, grown, size), f.Root(); got != want {
			t.Fatalf("grown to %d: root %x, want %x", size, got, want)
		}
		if size < most {
			f.Append(ids[size])
		}
	}
}

// spoiled returns every proof that differs from p in one bit of one hash, or by a
// hash more or less.
func spoiled(p Proof) []Proof {
	out := []Proof{append(slices.Clone(p), Hash{}), append(Proof{{}}, p...)}
	if len(p) > 0 {
		out = append(out, p[1:], p[:len(p)-1])
	}
	for i := range p {
		for bit := range len(Hash{}) * 8 {
			q := slices.Clone(p)
			q[i] = flipped(q[i], bit)
			out = append(out, q)
		}
	}
	return out
}

func flipped(h Hash, bit int) Hash {
	h[bit/8] ^= 1 << (bit % 8)
	return h
}

const smallTrees = 70 / (1 + fewer/3) // with all proofs of all of them

func TestInclusionHoldsForWhatIsThereAndNothingElse(t *testing.T) {
	tree, ids := newTree(t, smallTrees)
	for size := int64(1); size <= smallTrees; size++ {
		root := rootAt(t, tree, size)
		for index := range size {
			p, err := tree.Inclusion(index, size)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckInclusion(p, ids[index], index, size, root); err != nil {
				t.Fatalf("%d of %d: %v", index, size, err)
			}
			if got, err := InclusionRoot(p, ids[index], index, size); err != nil || got != root {
				t.Fatalf("%d of %d: leads to %x (%v), want %x", index, size, got, err, root)
			}
			if index != 0 && index != size-1 && index != size/2 {
				continue // every bit of some, which is every shape of proof
			}
			for _, q := range spoiled(p) {
				if got, err := InclusionRoot(q, ids[index], index, size); err == nil && got == root {
					t.Fatalf("%d of %d: a spoiled proof leads to the root", index, size)
				}
				if CheckInclusion(q, ids[index], index, size, root) == nil {
					t.Fatalf("%d of %d: a spoiled proof holds", index, size)
				}
			}
			for bit := range len(Hash{}) * 8 {
				if CheckInclusion(p, flipped(ids[index], bit), index, size, root) == nil {
					t.Fatalf("%d of %d: holds for another id", index, size)
				}
				if CheckInclusion(p, ids[index], index, size, flipped(root, bit)) == nil {
					t.Fatalf("%d of %d: holds for another root", index, size)
				}
			}
			for other := range size {
				if other != index && CheckInclusion(p, ids[index], other, size, root) == nil {
					t.Fatalf("%d of %d: holds at %d", index, size, other)
				}
			}
		}
	}
}

func TestConsistencyHoldsForWhatGrewAndNothingElse(t *testing.T) {
	tree, _ := newTree(t, smallTrees)
	for size := int64(1); size <= smallTrees; size++ {
		root := rootAt(t, tree, size)
		for older := int64(1); older <= size; older++ {
			was := rootAt(t, tree, older)
			p, err := tree.Consistency(older, size)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckConsistency(p, older, was, size, root); err != nil {
				t.Fatalf("%d to %d: %v", older, size, err)
			}
			every := size%7 == 0 || older == 1 || older == size-1
			for bit := range len(Hash{}) * 8 {
				if !every && bit != int(older*size%256) {
					continue // every bit of some, one of the others
				}
				if CheckConsistency(p, older, flipped(was, bit), size, root) == nil ||
					CheckConsistency(p, older, was, size, flipped(root, bit)) == nil {
					t.Fatalf("%d to %d: holds for another root", older, size)
				}
			}
			if !every {
				continue
			}
			for _, q := range spoiled(p) {
				if CheckConsistency(q, older, was, size, root) == nil {
					t.Fatalf("%d to %d: a spoiled proof holds", older, size)
				}
			}
		}
	}
}

func TestNothingIsTriviallyTrue(t *testing.T) {
	tree, ids := newTree(t, 9)
	root, empty := rootAt(t, tree, 9), EmptyRoot()
	for name, err := range map[string]error{
		"from an empty tree":         CheckConsistency(nil, 0, empty, 9, root),
		"of empty trees":             CheckConsistency(nil, 0, empty, 0, empty),
		"from a negative size":       CheckConsistency(nil, -1, root, 9, root),
		"to a smaller tree":          CheckConsistency(nil, 9, root, 8, root),
		"to an impossible size":      CheckConsistency(nil, 9, root, MaxSize+1, root),
		"to the greatest of numbers": CheckConsistency(nil, 9, root, 1<<63-1, root),
		"same size, another root":    CheckConsistency(nil, 9, root, 9, empty),
		"a proof without end":        CheckConsistency(make(Proof, 1000), 1, root, MaxSize, root),
		"in an empty tree":           CheckInclusion(nil, ids[0], 0, 0, empty),
		"beyond the end":             CheckInclusion(nil, ids[0], 9, 9, root),
		"before the start":           CheckInclusion(nil, ids[0], -1, 9, root),
		"of a negative size":         CheckInclusion(nil, ids[0], 0, -1, root),
		"in an impossible tree":      CheckInclusion(nil, ids[0], 0, MaxSize+1, root),
		"in too long a proof":        CheckInclusion(make(Proof, 1000), ids[0], 0, MaxSize, root),
	} {
		if err == nil {
			t.Errorf("%s: holds", name)
		}
	}
	for name, prove := range map[string]func() (Proof, error){
		"consistency from 0":         func() (Proof, error) { return tree.Consistency(0, 9) },
		"consistency beyond":         func() (Proof, error) { return tree.Consistency(3, 10) },
		"consistency to less":        func() (Proof, error) { return tree.Consistency(4, 3) },
		"inclusion at the end":       func() (Proof, error) { return tree.Inclusion(9, 9) },
		"inclusion before the start": func() (Proof, error) { return tree.Inclusion(-1, 9) },
		"inclusion in more":          func() (Proof, error) { return tree.Inclusion(1, 10) },
	} {
		if _, err := prove(); err == nil {
			t.Errorf("%s: proved", name)
		}
	}
	if err := tree.Extend(8); err == nil {
		t.Error("a tree shrinks")
	}
	if _, err := tree.Root(10); err == nil {
		t.Error("a root of more than there is")
	}
}

func TestGreatTrees(t *testing.T) {
	const n = 100_000
	tree, ids := newTree(t, n)
	var f Frontier
	f.Append(ids...)
	root := f.Root()
	if got := rootAt(t, tree, n); got != root {
		t.Fatalf("root %x, want %x", got, root)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		index, older := rng.Int64N(n), 1+rng.Int64N(n)
		p, err := tree.Inclusion(index, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckInclusion(p, ids[index], index, n, root); err != nil {
			t.Error(err)
		}
		q, err := tree.Consistency(older, n)
		if err != nil {
			t.Fatal(err)
		}
		var was Frontier
		was.Append(ids[:older]...)
		if err := CheckConsistency(q, older, was.Root(), n, root); err != nil {
			t.Error(err)
		}
	}
}

func TestASourceThatFailsIsAnError(t *testing.T) {
	ids, broken := testIDs(600), errors.New("broken")
	for name, source := range map[string]Source{
		"fails":         func(int64, int64) ([]Hash, error) { return nil, broken },
		"gives fewer":   func(from, to int64) ([]Hash, error) { return ids[from : to-1], nil },
		"gives nothing": func(int64, int64) ([]Hash, error) { return nil, nil },
	} {
		if _, err := NewTree(source, 600); err == nil {
			t.Errorf("%s: a tree of it", name)
		}
		tree, _ := newTree(t, 600)
		tree.source = source
		if _, err := tree.Inclusion(3, 600); err == nil {
			t.Errorf("%s: a proof of it", name)
		}
	}
}

func TestProofsAreSpelledInOneWay(t *testing.T) {
	tree, _ := newTree(t, 9)
	p, err := tree.Inclusion(3, 9)
	if err != nil {
		t.Fatal(err)
	}
	good := p.Strings()
	again, err := ParseProof(good)
	if err != nil || !slices.Equal(again, p) {
		t.Fatalf("read %v (%v), want %v", again, err, p)
	}
	for i := range len(good[0]) * 8 {
		b := []byte(good[0])
		b[i/8] ^= 1 << (i % 8)
		if h, err := DecodeHash(string(b)); err == nil && h == p[0] {
			t.Errorf("%q and %q are the same hash", b, good[0])
		}
	}
	for _, s := range []string{
		"", good[0][:40], good[0] + "AAAA", good[0][:43], good[0] + "\n", good[0][:20] + "\n" + good[0][20:43],
		"AA==",
	} {
		if _, err := ParseProof([]string{s}); err == nil {
			t.Errorf("%q: taken for a hash", s)
		}
	}
	if _, err := ParseProof(slices.Repeat(good[:1], 1000)); err == nil {
		t.Error("a proof of 1000 hashes")
	}
}

func BenchmarkInclusion(b *testing.B) {
	const n = 1_000_000
	tree, ids := newTree(b, n)
	root := rootAt(b, tree, n)
	b.ResetTimer()
	for i := range b.N {
		index := int64(i) * 7919 % n
		p, err := tree.Inclusion(index, n)
		if err != nil {
			b.Fatal(err)
		}
		if err := CheckInclusion(p, ids[index], index, n, root); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewTree(b *testing.B) {
	const n = 1_000_000
	ids := testIDs(n)
	for b.Loop() {
		if _, err := NewTree(IDs(ids), n); err != nil {
			b.Fatal(err)
		}
	}
}
