package hub

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// archivedFor is how long it is remembered which spaces are archived: an operator waits no longer.
const archivedFor = 2 * time.Second

// errArchived refuses a push into a space that is archived.
var errArchived = &refusal{http.StatusForbidden, "denied", "the space is archived at this hub: it can only be read"}

// archived remembers which spaces are read only.
type archived struct {
	mu     sync.Mutex
	read   time.Time
	spaces map[string]bool
}

// has reports whether a space is archived.
func (a *archived) has(ctx context.Context, h store.Hub, space string, now time.Time) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if since := now.Sub(a.read); a.spaces == nil || since < 0 || since >= archivedFor {
		all, err := h.Archived(ctx)
		if err != nil {
			return false, err
		}
		a.spaces, a.read = make(map[string]bool, len(all)), now
		for _, s := range all {
			a.spaces[s] = true
		}
	}
	return a.spaces[space], nil
}
