// Package state computes what follows from records: the State of each, by the claims
// made of it, and with whose Voice a record speaks, by the keys in a Keyring. It does
// no I/O.
package state

import "github.com/stemma-memory/stemma/memory"

// Review says what people have decided about a memory.
type Review string

// The states of review.
const (
	ReviewNone     Review = ""         // written by a person and not decided on
	ReviewPending  Review = "pending"  // an agent or a model wrote it
	ReviewApproved Review = "approved" // a person approved it
	ReviewRejected Review = "rejected"
)

// State is what follows from a record and the claims made of it. It is computed
// by Fold, never written by hand, never signed and never synced.
type State struct {
	Confidence    memory.Confidence `json:"confidence"`               // as reassessed since
	SupersededBy  memory.ID         `json:"superseded_by,omitzero"`   // the revision that counts
	Outranked     bool              `json:"outranked,omitempty"`      // a rival revision is the one shown
	Review        Review            `json:"review,omitempty"`         // what people decided
	ReviewedAt    memory.Time       `json:"reviewed_at,omitzero"`     // when
	ReviewedBy    string            `json:"reviewed_by,omitempty"`    // whose key
	AgentApproved bool              `json:"agent_approved,omitempty"` // an agent's approval: recorded, lifts nothing
	Verified      memory.Time       `json:"verified,omitzero"`        // when it last held
	VerifiedBy    string            `json:"verified_by,omitempty"`    // who said so last
	AgentVerified bool              `json:"agent_verified,omitempty"` // the last to verify was an agent
	Verifications int               `json:"verifications,omitempty"`
	Forgotten     bool              `json:"forgotten,omitempty"`
	Protected     bool              `json:"protected,omitempty"`
	Quarantined   bool              `json:"quarantined,omitempty"`
	Purged        bool              `json:"purged,omitempty"`
	Done          bool              `json:"done,omitempty"`
	Status        string            `json:"status,omitempty"`
	Progress      string            `json:"progress,omitempty"`
	Intensity     string            `json:"intensity,omitempty"`
	Uses          int               `json:"uses,omitempty"`      // of a playbook
	Successes     int               `json:"successes,omitempty"` // of a playbook
	Confirms      int               `json:"confirms,omitempty"`  // one a principal: the latest counts
	Disputes      int               `json:"disputes,omitempty"`
	Partials      int               `json:"partials,omitempty"`
	Anchors       int               `json:"anchors,omitempty"`
	Links         int               `json:"links,omitempty"`
	Reason        string            `json:"reason,omitempty"`      // of the last mark that hid it
	ReachesRaw    bool              `json:"reaches_raw,omitempty"` // its lineage reaches words of another run
	AnyRaw        bool              `json:"any_raw,omitempty"`     // its lineage reaches any words at all
	Project       string            `json:"project,omitempty"`     // the space of the project that a person assigned it to
	Due           memory.Time       `json:"due,omitzero"`          // when a claim dated ahead comes to count
}

// Live reports whether search, lists and packs show the record by default.
func (s *State) Live() bool {
	return s.Active() && s.Review != ReviewRejected && !s.Forgotten && !s.Quarantined && !s.Purged
}

// Rivals reports whether the record is live, or would be but for a rival revision that outranks it:
// no one decided between the two yet, so what is proposed about it is still open.
func (s *State) Rivals() bool {
	all := *s
	all.Outranked = false
	return all.Live()
}

// Active reports whether the record is the current revision of itself.
func (s *State) Active() bool { return s.SupersededBy.IsZero() && !s.Outranked }

// Yields reports whether an update that a policy applies may take the record's place: no
// person approved it, and it is not protected.
func (s *State) Yields() bool { return s.Review != ReviewApproved && !s.Protected }

// A Tier says what a memory's words rest on. It is computed, never stored.
type Tier string

// The tiers, the best first. A raw has none.
const (
	Grounded   Tier = "grounded"   // code it names, verified and approved
	Observed   Tier = "observed"   // events behind it, or approved
	Inferred   Tier = "inferred"   // an agent's or a model's, not yet reviewed, or made of what was said
	Hypothesis Tier = "hypothesis" // an idea
	NoTier     Tier = ""
)

// TierOf computes the tier of r in state s.
func TierOf(r *memory.Record, s *State) Tier {
	if k := r.Header.Kind; k == memory.KindRaw || !k.IsMemory() {
		return NoTier
	}
	approved := s.Review == ReviewApproved
	switch {
	case r.HasCode() && !s.Verified.IsZero() && approved:
		return Grounded
	case s.ReachesRaw || approved:
		return Observed
	case s.Review == ReviewPending, s.Review == ReviewNone && s.AnyRaw:
		return Inferred
	default:
		return Hypothesis
	}
}
