package ledger

import (
	"crypto/sha256"
	"testing"
)

// A tree that goes on from the roots of its blocks is the tree that was made of all ids.
func TestResume(t *testing.T) {
	var all []Hash
	for i := range 3000 {
		all = append(all, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	for _, size := range []int64{1, 63, 64, 65, 1024, 2999} {
		whole, err := NewTree(IDs(all), size)
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.Root(size)
		if err != nil {
			t.Fatal(err)
		}
		for known := range whole.Blocks() {
			again, err := Resume(func(from, to int64) ([]Hash, error) {
				if from < int64(known+1)*blockSize {
					t.Errorf("%d ids, %d blocks known: those from %d are read again", size, known+1, from)
				}
				return all[from:to], nil
			}, whole.Blocks()[:known+1], size)
			if err != nil {
				t.Fatal(err)
			}
			again.source = IDs(all)
			if is, err := again.Root(size); err != nil || is != want {
				t.Errorf("%d ids, %d blocks known: another root (%v)", size, known+1, err)
			}
			p, err := again.Inclusion(size-1, size)
			if err != nil || CheckInclusion(p, all[size-1], size-1, size, want) != nil {
				t.Errorf("%d ids, %d blocks known: %v", size, known+1, err)
			}
		}
	}
	if _, err := Resume(IDs(all), make([]Hash, 8), 511); err == nil {
		t.Error("more blocks than there are ids")
	}
}
