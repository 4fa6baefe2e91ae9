package trust

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Sections of packs. A memory is in the first for which it has what it takes.
const (
	InValues      = "values"
	InGoals       = "goals"
	InDrives      = "drives"
	InConstraints = "constraints"
	InNeeds       = "needs"
	InVerified    = "verified"
	InObserved    = "observed"
	InPerhaps     = "perhaps" // of a pack: meaning alone found it
	InUnverified  = "unverified"
)

// Section says where in a pack a memory belongs whose code is as it was.
func (v *Rating) Section(it *store.Item) string {
	approved := v.Actionable && v.approved
	note, _ := it.Record.Body.(*memory.Note)
	switch k := it.Ref.Kind; {
	case k == memory.KindRaw || v.Doubt != "":
		return InUnverified
	case k == memory.KindValue && approved:
		return InValues
	case k == memory.KindGoal && approved && Active(&v.State):
		return InGoals
	case k == memory.KindGoal && !Active(&v.State): // it is over
		return v.below()
	case k == memory.KindDrive && approved:
		return InDrives
	case note != nil && note.Type == ConstraintType && approved:
		return InConstraints
	case v.Actionable && (v.Tier == state.Grounded || v.Tier == state.Observed):
		return InVerified
	}
	return v.below()
}

// Decided reports whether a person who has a say here approved a memory, or typed what counts as approved by that.
func (v *Rating) Decided() bool { return v.approved && v.Doubt == "" }

// below is the section of what no one approved or confirmed: one's own, and what a member of a
// shared space wrote for whom an accepted keeper vouches. What was approved, and may not be acted on all the same,
// does not stand among what was not.
func (v *Rating) below() string {
	if v.approved && v.State.Review == state.ReviewApproved {
		return InUnverified
	}
	if v.own && !v.Tainted && !v.Held || v.Member {
		return InObserved
	}
	return InUnverified
}

// Active reports whether a goal is still one.
func Active(s *state.State) bool { return core.GoalStatus(s) == core.GoalActive }

// Why says in short what a memory rests on, or that it rests on nothing any more.
func (v *Rating) Why(r *memory.Record) string {
	switch {
	case v.Doubt == store.Withheld:
		return "cannot be verified here"
	case v.bare: // a mark says so
	case v.approved && v.State.Review == state.ReviewApproved:
		if len(v.Fallen) > 0 {
			return "approved, " + SourceWords(r, v)
		}
		return "approved"
	case v.approved:
		return "typed by a person"
	case v.Tier == state.Grounded, v.Tier == state.Observed, len(v.Fallen) > 0:
		return SourceWords(r, v)
	}
	return ""
}

// NotApproved is why a memory binds nobody of which no person has said anything.
const NotApproved = "not approved"

// Unbound says why a constraint does not bind.
func (v *Rating) Unbound() string {
	switch {
	case v.Doubt != "":
		return "not verified"
	case v.stranger && v.self:
		return "approved by its author alone"
	case v.stranger:
		return "approved by a stranger"
	case v.Disputed:
		return "disputed"
	}
	return NotApproved
}
