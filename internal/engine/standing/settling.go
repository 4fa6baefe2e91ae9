package standing

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// settling is one call of settle.
type settling struct {
	e       *Standings
	who     state.Voices
	at      memory.Time // as of when; zero is now
	validAt memory.Time // what held at this time counts as current; zero is now
	out     map[memory.ID]*Settled

	raws     []*store.Item
	sayingBy map[sayingOf][]*store.Item // of saying, those of one principal
	given    []*store.Item              // the other candidates
	saying   map[string][]*store.Item   // those that are current and not episodes, by their folded texts
	made     map[memory.ID][]Made       // by raw
	heard    map[hearing]bool           // what about has
	was      map[memory.ID][]Made       // the same with what its author took back
	fates    map[memory.ID]*fates       // of what was made, by raw
	about    map[memory.ID][]*memory.Record
	decided  map[memory.ID]state.Decision
	rests    map[memory.ID][]*store.Item // memories of what stays of one whose place was taken in part
	section  map[memory.ID]int
	spoken   []spokenOf
	lines    map[*memory.Record]string // what each states
}

// hearing is a claim about a record.
type hearing struct {
	of    memory.ID
	claim *memory.Record
}

// spokenOf is words that are listed beside their memory: an open link of the memory concerns
// both.
type spokenOf struct{ raw, memory *store.Item }

// counts reports whether a memory counts among those made of a raw. A stranger's memory made
// of the user's words neither keeps nor hides them.
func (s *settling) counts(m, raw *memory.Record) bool {
	return s.samePrincipal(m, raw) || state.May(s.who.Voice(m), raw, s.who)
}

// heldThen returns the memory of a chain that was valid at the time asked for, or nil if the
// current one is asked for.
func (s *settling) heldThen(c core.Chain) *store.Item {
	if s.validAt.IsZero() {
		return nil
	}
	it, _ := c.HeldAt(s.validAt.Time())
	return it
}

func (s *settling) of(id memory.ID) *Settled {
	if s.out[id] == nil {
		s.out[id] = &Settled{}
	}
	return s.out[id]
}

func (s *settling) weight(it *store.Item) int {
	n := 0
	if s.who.Voice(it.Record).Owner {
		n++
	}
	if it.State.Review == state.ReviewApproved {
		n += 2
	}
	return n
}

func (s *settling) samePrincipal(a, b *memory.Record) bool {
	p := s.who.Voice(a).Principal
	return p != "" && p == s.who.Voice(b).Principal
}
