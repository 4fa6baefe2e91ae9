package state

import "github.com/stemma-memory/stemma/memory"

// A Voice is the authority with which a record speaks.
type Voice struct {
	Principal string // the key that began the owner's history; "" is a stranger
	Owner     bool   // an owner's own key spoke, not one it delegated to
	Keeps     string // the space in which it decides as the owner of the space does, who appointed it; "" is none
	Owns      string // the space that was handed over and that it owned when it said this; "" is none
	Now       bool   // it is about to write: what it owns now counts
}

// A Fault says why a record speaks for no one although it is signed.
type Fault string

// The faults.
const (
	Sound             Fault = ""
	DelegationInvalid Fault = "delegation_invalid" // not held, or it does not cover the record
	KeyExpired        Fault = "key_expired"        // written after the delegation ended
	KeyRevoked        Fault = "key_revoked"        // came after the key was replaced or taken back
	KeyCompromised    Fault = "key_compromised"    // came when the key was somebody else's
)

// Voices says with which voice a record speaks. A Keyring implements it.
type Voices interface {
	Voice(r *memory.Record) Voice
	// Fault returns why r speaks for no one, Sound if it does speak.
	Fault(r *memory.Record) Fault
	// Keeper is the principal whose own store this is; "" where several write.
	Keeper() string
	// Owner returns the principal who owns a space now, and whether the space was handed over.
	Owner(space string) (principal string, handed bool)
}

// May reports whether one who speaks with voice claimer may decide about r:
// forget it, protect it, supersede it, move its confidence. The owner of the
// author's key or of the space may, and whom the owner of the space appointed as its keeper; an
// agent only about what an agent of the same owner wrote.
func May(claimer Voice, r *memory.Record, who Voices) bool {
	return owns(claimer, r, who) ||
		claimer.Owner && claimer.Keeps != "" && claimer.Keeps == r.Header.Space
}

// MayErase reports whether one who speaks with voice claimer may purge r for all who hold it: its
// author's owner and the owner of its space may, a keeper of the space may not.
func MayErase(claimer Voice, r *memory.Record, who Voices) bool {
	return claimer.Owner && owns(claimer, r, who)
}

// owns is May without keepers of spaces, who erase nothing.
func owns(claimer Voice, r *memory.Record, who Voices) bool {
	if claimer.Principal == "" {
		return false
	}
	author := who.Voice(r)
	if claimer.Principal == author.Principal {
		return claimer.Owner || !author.Owner
	}
	return claimer.Owner && OwnsSpace(claimer, r.Header.Space, who)
}

// OwnsSpace reports whether a voice is that of the owner of a space. In a space that was handed
// over only what stands there is an owner's word, by who owned it then.
func OwnsSpace(v Voice, space string, who Voices) bool {
	owner, handed := who.Owner(space)
	if handed && !v.Now {
		return v.Owns == space
	}
	return v.Principal != "" && v.Principal == owner
}

// MayVerify reports whether one who speaks with voice claimer may say that r
// still holds: who may decide about it, and an agent of r's own owner about what
// the owner wrote. Such a word is shown as an agent's and moves no confidence.
func MayVerify(claimer Voice, r *memory.Record, who Voices) bool {
	return May(claimer, r, who) || claimer.Principal != "" && claimer.Principal == who.Voice(r).Principal
}

// MayHide reports whether one who speaks with voice claimer may take r out of
// what this store shows, and bring it back: who may decide about it, and the
// keeper of the store about everything in it.
func MayHide(claimer Voice, r *memory.Record, who Voices) bool {
	return May(claimer, r, who) || claimer.Owner && claimer.Principal != "" && claimer.Principal == who.Keeper()
}
