package cli

import (
	"runtime"
	"runtime/debug"
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

// In a small heap what is thrown away waits, and nothing is collected every few megabytes.
func TestASmallHeapIsCollectedSeldom(t *testing.T) {
	was := debug.SetGCPercent(usually)
	defer debug.SetGCPercent(was)
	leeway.Store(0) // a verb of another test may have asked for less
	collectLate()
	var before, after runtime.MemStats
	for range 10 { // what is called after a collection is called soon
		runtime.GC()
	}
	runtime.ReadMemStats(&before)
	for range 256 << 10 {
		garbage = make([]byte, 1<<10) // 256 MB in all
	}
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n > 256<<20/(spare/2) {
		t.Errorf("256 MB of garbage were collected %d times, with %d MB to spare", n, spare>>20)
	}
}
