package trust

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// verified are the last verifications of a memory: by a person, and later by an agent.
type verified struct {
	person, agent *memory.Record
}

// stands reports whether the person's verification is of the same code as the agent's: the agent said no more than
// that it still holds.
func (v *verified) stands() bool {
	if v == nil || v.person == nil || v.agent == nil {
		return false
	}
	return slices.EqualFunc(pinned(v.person), pinned(v.agent), func(a, b memory.Evidence) bool {
		return a.Path == b.Path && a.Symbol == b.Symbol && a.SHA256 == b.SHA256
	})
}

// pinned is the code that a verification names.
func pinned(r *memory.Record) []memory.Evidence {
	return r.Body.(*memory.Verify).Evidence
}

// verifiedTwice reads the verifications of memories, as of a time; zero is now.
func verifiedTwice(
	ring *state.Keyring, at time.Time, items, claims []*store.Item,
) map[memory.ID]*verified {
	of := make(map[memory.ID]*memory.Record, len(items))
	for _, it := range items {
		of[it.Ref.ID] = it.Record
	}
	out := make(map[memory.ID]*verified)
	for _, c := range claims {
		b, ok := c.Record.Body.(*memory.Verify)
		if !ok || b.Result != "" || of[b.Of.ID] == nil || !at.IsZero() && c.Record.Header.At.Time().After(at) {
			continue
		}
		voice := ring.Voice(c.Record)
		if !state.MayVerify(voice, of[b.Of.ID], ring) {
			continue
		}
		v := out[b.Of.ID]
		if v == nil {
			v = new(verified)
			out[b.Of.ID] = v
		}
		last := &v.agent
		if voice.Owner {
			last = &v.person
		}
		if *last == nil || !c.Record.Header.At.Time().Before((*last).Header.At.Time()) {
			*last = c.Record
		}
	}
	return out
}

// says says by whom a memory was verified, where a person and later an agent did.
func (v *verified) says() string {
	if v == nil || v.person == nil || v.agent == nil {
		return ""
	}
	text := "by a person on " + core.Day(v.person.Header.At)
	if !v.stands() {
		text += ", before its code changed"
	}
	return text + ", and by an agent on " + core.Day(v.agent.Header.At)
}
