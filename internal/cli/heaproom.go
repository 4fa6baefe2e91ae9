package cli

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// heapRoom is how much garbage a verb that goes through many records may leave before it is
// collected, at the least. In a small heap the collector would run every few megabytes.
const heapRoom = 64 << 20

// roomy returns the collector less to do until the verb ends. The room counts as in use when
// it is weighed how often to collect, and takes no memory, since no one writes to it.
func (a *app) roomy() {
	room := make([]byte, heapRoom)
	a.closes = append(a.closes, func() error {
		runtime.KeepAlive(room)
		return nil
	})
}

// Of a process that has collected nothing yet the heap may become 4 MiB, as the runtime has it,
// and these times as much: a verb that ends soon need not collect anything.
const (
	usually = 100 // percent of what is in use
	atFirst = 16 * usually
)

// spare is how much garbage a process may leave that goes on: in a small heap the collector would look at what is
// remembered after every few questions.
const spare = 96 << 20

// leeway is spare, or less for a verb that goes through a whole store once.
var leeway atomic.Uint64

// tight leaves no more room than is usual, from the next collection on.
func tight() { leeway.Store(8 << 20) }

// collectLate lets the first collection wait. After that it is done as often as usual, and less often in a small heap.
func collectLate() {
	was := debug.SetGCPercent(atFirst)
	if was != usually { // somebody set it
		debug.SetGCPercent(was)
		return
	}
	leeway.CompareAndSwap(0, spare)
	percent := uint64(atFirst)
	var collected func(*[16]byte)
	collected = func(next *[16]byte) { // called after every collection
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		inUse := max(1, m.NextGC*100/(100+percent))
		percent = min(atFirst, max(usually, leeway.Load()*100/inUse))
		debug.SetGCPercent(int(percent))
		runtime.SetFinalizer(next, collected)
	}
	runtime.SetFinalizer(new([16]byte), collected)
}
