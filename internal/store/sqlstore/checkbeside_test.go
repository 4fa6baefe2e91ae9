package sqlstore

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// A check beside one who writes finds nothing wrong: what is written meanwhile is no gap, and a segment that was made
// one with others is not damaged.
func TestACheckBesideAWriter(t *testing.T) {
	databases(t, func(t *testing.T, spec string) {
		s, other := open(t, spec, Options{}), open(t, spec, Options{})
		a := storetest.NewOwner("writes on")
		appendAll(t, s, []*memory.Record{a.Raw(t, "the first")})
		var writing sync.WaitGroup
		over := make(chan struct{})
		writing.Go(func() {
			defer close(over)
			for i := range 300 {
				appendAll(t, other, []*memory.Record{a.Raw(t, fmt.Sprint("written ", i))})
			}
		})
		for wrong := 0; ; {
			for err := range s.Check(t.Context()) {
				if wrong++; wrong < 4 {
					t.Error(err)
				}
			}
			select {
			case <-over:
				writing.Wait()
				return
			default:
			}
		}
	})
}
