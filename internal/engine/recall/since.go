package recall

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// sinceLast marks what a load gives that this agent's last session could not know.
const sinceLast = "since your last session"

// mostLookedBack is how many records are looked through for the last session.
const mostLookedBack = 500

// lastSession returns when this agent last wrote something in another session than the one
// that begins; zero where it did not lately. It is of the store alone: what a load gives stays
// the same until something is written.
func (e *Finder) lastSession(rd *trust.Reading, spaces []string) (time.Time, error) {
	me, err := e.KnownKeys()
	if err != nil || me == nil || e.C.Session == "" {
		return time.Time{}, nil // nothing was written here, or the session cannot be told from others
	}
	q := store.Query{
		Kinds: memory.Memories(), Spaces: spaces, Author: me.Agent.DID(), Hidden: true, Limit: mostLookedBack,
	}
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return time.Time{}, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		h := &it.Record.Header
		other := h.Session != "" && h.Session != e.C.Session && !slices.Contains(e.C.Sessions, h.Session)
		if other && (e.C.Agent == "" || h.Agent == "" || h.Agent == e.C.Agent) {
			return h.At.Time(), nil
		}
	}
	return time.Time{}, nil
}
