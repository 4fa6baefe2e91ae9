package sqlstore

import (
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
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
	out := make([]memory.ID, 0, min(len(ids), fewTogether))
	for _, id := range ids {
		if !m.ids[id] {
			out = append(out, id)
		}
	}
	return out
}

// fewTogether are read one by one.
const fewTogether = 8

var _ store.Telling = (*rows)(nil)

// Telling returns the claims that a state may follow from.
func (w *rows) Telling(claims []memory.ID) ([]memory.ID, error) {
	if len(claims) <= fewTogether {
		return claims, nil
	}
	claims = w.s.mute.others(claims)
	if len(claims) <= fewTogether {
		return claims, nil
	}
	if err := w.readAll(claims); err != nil {
		return nil, err
	}
	for _, id := range claims {
		if c := w.records[id]; c != nil && store.Mute(c, w.now) {
			w.s.mute.add(id)
		}
	}
	return w.s.mute.others(claims), nil
}
