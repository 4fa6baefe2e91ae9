package trust

import "slices"

// A Level says in a word what the evidence allows, whatever the number.
type Level string

// The levels, the least first.
const (
	Rejected   Level = "rejected"   // the author's signature is wrong
	Unverified Level = "unverified" // the author says so
	Attested   Level = "attested"   // a witness or an anchor
	Anchored   Level = "anchored"   // something outside holds it
	Consensus  Level = "consensus"  // several witnesses, an anchor, no dispute
)

// levels are in order, the least first.
var levels = [...]Level{Rejected, Unverified, Attested, Anchored, Consensus}

// AtLeast reports whether l is other or better. An unknown level is below all.
func (l Level) AtLeast(other Level) bool { return l.rank() >= other.rank() }

func (l Level) rank() int { return slices.Index(levels[:], l) }

// atMost returns l, or limit where that is less. Only a wrong signature of its own
// rejects a memory, so nothing a limit says goes below Unverified.
func (l Level) atMost(limit Level) Level {
	if !limit.AtLeast(Unverified) {
		limit = Unverified
	}
	if l.AtLeast(limit) {
		return limit
	}
	return l
}

// What a memory can be flagged with, in the order in which flags are given.
const (
	FlagUnsigned           = "unsigned"
	FlagBadSignature       = "bad_signature"
	FlagUnknownKey         = "unknown_key"
	FlagKeyRevoked         = "key_revoked"
	FlagContested          = "contested" // confirmed and disputed
	FlagDisputed           = "disputed"  // disputed and not confirmed
	FlagRetracted          = "retracted" // disputed by its own author
	FlagPartial            = "partial"
	FlagAnchorStale        = "anchor_stale"
	FlagAnchorChanged      = "anchor_changed"
	FlagAnchorUnverifiable = "anchor_unverifiable"
	FlagAnchorNotBound     = "anchor_not_bound"
	FlagTainted            = "tainted" // of external origin, without independent confirmation
)
