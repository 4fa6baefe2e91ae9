package trust

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
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

// verifiedTwice reads the verifications of those memories that an agent verified last.
func (s *scoring) verifiedTwice(items []*store.Item) error {
	of := make(map[memory.ID]*memory.Record)
	var ids []memory.ID
	for _, it := range items {
		if it.State.AgentVerified && it.State.Verifications > 1 {
			of[it.Ref.ID], ids = it.Record, append(ids, it.Ref.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	claims, err := Speaking(s.ctx, s.s, ids, memory.KindVerify)
	if err != nil {
		return err
	}
	s.verified = make(map[memory.ID]*verified)
	for _, c := range claims {
		b, ok := c.Record.Body.(*memory.Verify)
		if !ok || b.Result != "" || of[b.Of.ID] == nil || !s.at.IsZero() && c.Record.Header.At.Time().After(s.at) {
			continue
		}
		voice := s.Ring.Voice(c.Record)
		if !state.MayVerify(voice, of[b.Of.ID], s.Ring) {
			continue
		}
		v := s.verified[b.Of.ID]
		if v == nil {
			v = new(verified)
			s.verified[b.Of.ID] = v
		}
		last := &v.agent
		if voice.Owner {
			last = &v.person
		}
		if *last == nil || !c.Record.Header.At.Time().Before((*last).Header.At.Time()) {
			*last = c.Record
		}
	}
	return nil
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

// Conditions says which conditions of the tiers a memory meets: an approval is none where nothing is left of what
// the memory was made of, and a person's verification is named beside an agent's.
func (v *Rating) Conditions(it *store.Item) []api.Condition {
	out := core.Conditions(it)
	for i := range out {
		switch c := &out[i]; {
		case v == nil || !c.Met:
		case c.Name == "approved" && v.bare:
			c.Met, c.Says = false, c.Says+", but none of its sources counts any more"
		case c.Name == "verified":
			c.Says = core.Or(v.verified.says(), c.Says)
		}
	}
	return out
}
