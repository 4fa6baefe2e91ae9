package cli

import "runtime"

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
