package access

import (
	"net"
	"net/http"
	"sync"
)

// Unasked holds the connections on which nothing was asked yet. Browsers open some
// ahead, and a server that ends would wait five seconds for each to ask.
type Unasked struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
	ended bool
}

// Follow is for http.Server.ConnState.
func (u *Unasked) Follow(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.conns, c)
	case u.ended:
		c.Close()
	default:
		if u.conns == nil {
			u.conns = map[net.Conn]struct{}{}
		}
		u.conns[c] = struct{}{}
	}
}

// End closes them, and those that are still to come.
func (u *Unasked) End() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	for c := range u.conns {
		c.Close()
	}
}
