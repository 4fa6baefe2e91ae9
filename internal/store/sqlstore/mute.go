package sqlstore

import (
	"sync"

	"github.com/stemma-memory/stemma/memory"
)

// mute are claims of which it is known that no state follows from them. One sentence may be said again thousands of
// times, and each time leaves such a claim about the same memory.
type mute struct {
	mu  sync.Mutex
	ids map[memory.ID]bool
}

// mostMute is how many are remembered.
const mostMute = 50_000

func (m *mute) add(id memory.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ids == nil || len(m.ids) >= mostMute {
		m.ids = make(map[memory.ID]bool)
	}
	m.ids[id] = true
}

// others returns those that are not known to be mute.
func (m *mute) others(ids []memory.ID) []memory.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []memory.ID
	for _, id := range ids {
		if !m.ids[id] {
			out = append(out, id)
		}
	}
	return out
}
