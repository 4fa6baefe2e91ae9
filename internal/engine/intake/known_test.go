//go:build !race

package intake

import (
	"fmt"
	"testing"
)

// What is signed and not stored yet is known, however many names there are, and they are bounded.
func TestKnownRefsForgetWhatIsStored(t *testing.T) {
	name := func(batch, i int) string { return fmt.Sprint(batch, ":", i) }
	for _, inBatch := range []int{1, ingestBatch, mostKnown, 2*mostKnown + 1} {
		k := newKnownRefs()
		for batch := range 1 + 6*mostKnown/inBatch*min(1, inBatch/ingestBatch) + 2*underWay {
			k.forget()
			for i := range inBatch {
				k.put(name(batch, i), knownRef{made: true})
			}
			for b := max(0, batch-underWay+1); b <= batch; b++ {
				for _, i := range []int{0, inBatch - 1} {
					if r, ok := k.get(name(b, i)); !ok || !r.made {
						t.Fatalf("%d names in each batch: in batch %d, one of batch %d is forgotten", inBatch, batch, b)
					}
				}
			}
			if most := 2 * max(mostKnown+inBatch, (underWay+1)*inBatch); len(k.now)+len(k.before) > most {
				t.Fatalf("%d names in each batch: %d are remembered, at most %d", inBatch, len(k.now)+len(k.before), most)
			}
		}
		if _, ok := k.get(name(0, 0)); ok && inBatch > 1 {
			t.Errorf("%d names in each batch: the first is still remembered", inBatch)
		}
	}
}
