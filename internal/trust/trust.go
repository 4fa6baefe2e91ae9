// Package trust computes how far a memory can be trusted because of its supporters: its
// author's signature and reputation, witnesses, and anchors. It is a pure function of recorded
// facts, in integers: the same facts give the same number everywhere. All amounts are
// ten-thousandths.
package trust

import (
	"fmt"

	"github.com/stemma-memory/stemma/memory"
)

// One is the greatest score and the greatest reputation.
const One = 10000

// Decimal writes an amount as people read it: 3000 is "0.3000".
func Decimal(n int) string {
	sign := ""
	if n < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%04d", sign, abs(n/One), abs(n%One))
}

func abs(n int) int { return max(n, -n) }

// A Signature is the state of the author's signature.
type Signature string

// The states of a signature. Any other word counts as Absent.
const (
	Valid      Signature = "valid"       // it holds, and its key is known here
	Absent     Signature = "absent"      // there is no signature
	Invalid    Signature = "invalid"     // it does not hold: the memory is rejected
	UnknownKey Signature = "unknown_key" // valid, by an unknown key
	Revoked    Signature = "revoked"     // its key was no longer to be believed
)

// What a witness can say.
const (
	Confirm = "confirm"
	Partial = "partial"
	Dispute = "dispute"
)

// A Verdict is one witness's statement as it was found, good or not. Controllers
// are principals: two keys of one person are one controller.
type Verdict struct {
	ID         memory.ID   // of the witness record
	Controller string      // who speaks; "" is nobody known
	Says       string      // confirm, partial or dispute
	At         memory.Time // when, as the witness says
	Refused    string      // why it does not count; "" is no reason yet
	Rejected   bool        // a resolution rejected it
}

// A Status is what the last check of an anchor found. Any other word counts as Unverifiable.
type Status string

// What a check of an anchor can find.
const (
	Verified     Status = "verified"
	Changed      Status = "changed"
	Gone         Status = "gone"
	Unreachable  Status = "unreachable"
	Stale        Status = "stale" // not checked again in time
	Unverifiable Status = "unverifiable"
)

// An Anchor is something outside that a memory is tied to, as it was found. Two
// anchors of one Class are no two witnesses: a host, a repository.
type Anchor struct {
	ID        memory.ID // of the anchor record
	Type      string
	Reference string // in its canonical form
	Class     string // "" is one class, and adds nothing beside a known one
	Status    Status
	Bound     bool // it names this memory, or its author signed it in
}

// A Limit is the least that the external sources of a memory are worth. A
// memory is not worth more, until somebody independent confirms it.
type Limit struct {
	Score   int
	Level   Level      // the least of the sources'; unknown counts as Unverified
	Ref     memory.Ref // the source it comes from
	Authors []string   // controllers who wrote what the memory rests on
	Missing bool       // the source is not held
}

// Facts is all that a score depends on.
type Facts struct {
	Signature     Signature
	Author        string // controller
	Reputation    int    // of the author, 0 to One
	Verdicts      []Verdict
	Anchors       []Anchor
	Introductions *Introductions // nil: nobody was introduced
	Limit         *Limit         // nil: nothing external is behind it
}
