package cli

import (
	"runtime"
	"runtime/debug"
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

// collectLate lets the first collection wait. After that it is done as often as usual.
func collectLate() {
	was := debug.SetGCPercent(atFirst)
	if was != usually { // somebody set it
		debug.SetGCPercent(was)
		return
	}
	first := new([16]byte)
	runtime.SetFinalizer(first, func(*[16]byte) { debug.SetGCPercent(usually) })
}
