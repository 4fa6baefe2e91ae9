package hub

import (
	"context"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// ownersFor is how long it is remembered who owns the spaces that were handed over.
const ownersFor = 2 * time.Second

// owners remembers who owns the spaces that were handed over, for a moment.
type owners struct {
	mu    sync.Mutex
	read  time.Time
	known map[string]string
}

// all returns them. The map is not changed after.
func (o *owners) all(ctx context.Context, h store.Hub, now time.Time) (map[string]string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if since := now.Sub(o.read); o.known == nil || since < 0 || since >= ownersFor {
		all, err := h.Owners(ctx)
		if err != nil {
			return nil, err
		}
		o.known, o.read = all, now
	}
	return o.known, nil
}

// again has the next request read them.
func (o *owners) again() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known = nil
}
