package cli

import (
	"runtime"
	"testing"
)

// A verb with room leaves garbage lie for longer.
func TestRoomy(t *testing.T) {
	collected := func(a *app) uint32 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range 256 << 10 {
			garbage = make([]byte, 1<<10) // 256 MB in all
		}
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(a)
		return after.NumGC - before.NumGC
	}
	roomy := new(app)
	roomy.roomy()
	if n := collected(roomy); n > 256<<20/heapRoom+1 {
		t.Errorf("256 MB of garbage were collected %d times, with room for %d MB", n, heapRoom>>20)
	}
	for _, c := range roomy.closes {
		if err := c(); err != nil {
			t.Error(err)
		}
	}
}

var garbage []byte
