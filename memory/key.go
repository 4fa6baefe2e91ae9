package memory

import (
	"errors"
	"strings"
)

// Key says something about a signing key: that it begins, may act for another,
// is replaced, is no longer to be believed, or is known to us.
type Key struct {
	Op       string   `json:"op"`
	Key      string   `json:"key"`                // did:key it is about
	Previous string   `json:"previous,omitempty"` // rotate: the key it follows
	Origins  []Origin `json:"origins,omitempty"`  // delegate: the channels it may speak for, sorted
	Scope    string   `json:"scope,omitempty"`    // delegate: what for
	Expires  Time     `json:"expires,omitzero"`   // delegate: until when
	Next     string   `json:"next,omitempty"`     // SHA-256 of the recovery key
	Of       *Ref     `json:"of,omitempty"`       // revoke: the delegation taken back
	Reason   string   `json:"reason,omitempty"`   // revoke: superseded, lost or compromised
	From     string   `json:"from,omitempty"`     // revoke: the checkpoint it counts from
	Name     string   `json:"name,omitempty"`     // what people call it
}

// The operations on keys.
const (
	OpInception = "inception"
	OpDelegate  = "delegate"
	OpRotate    = "rotate"
	OpRevoke    = "revoke"
	OpIntroduce = "introduce"
	OpRecovery  = "recovery"
)

// KeyOps are the operations on keys.
var KeyOps = []string{OpInception, OpDelegate, OpRotate, OpRevoke, OpIntroduce, OpRecovery}

// Why a key is no longer to be believed.
const (
	Superseded  = "superseded"  // another took its place
	Lost        = "lost"        // nobody has it
	Compromised = "compromised" // somebody else has it
)

// RevokeReasons are why a key is no longer to be believed.
var RevokeReasons = []string{Superseded, Lost, Compromised}

// Kind is key.
func (*Key) Kind() Kind { return KindKey }

// Headline returns the operation and the key.
func (b *Key) Headline() string { return b.Op + " " + b.Key }

// Words returns the name.
func (b *Key) Words() string { return b.Name }

// Subjects returns the delegation a revocation takes back.
func (b *Key) Subjects() []Ref {
	if b.Of == nil {
		return nil
	}
	return []Ref{*b.Of}
}

// Check asks for a known operation on a well-formed key, with the members that
// belong to it and no others.
func (b *Key) Check() error {
	err := errors.Join(b.checkOp(), b.checkOrigins())
	if b.Of != nil {
		err = errors.Join(err, oneRef("of", *b.Of))
	}
	if b.Previous != "" {
		err = errors.Join(err, did("previous", b.Previous))
	}
	return errors.Join(err, oneOf("op", b.Op, KeyOps), did("key", b.Key), word("scope", b.Scope),
		hexDigest("next", b.Next), oneOf("reason", b.Reason, RevokeReasons),
		text("from", b.From), textUpTo("name", b.Name, MaxNameBytes))
}

// checkOp holds each operation to its own members.
func (b *Key) checkOp() error {
	rotate, delegate, revoke := b.Op == OpRotate, b.Op == OpDelegate, b.Op == OpRevoke
	begins := b.Op == OpInception || b.Op == OpRecovery || rotate
	switch {
	case b.Op == "":
		return bad("op", "is missing")
	case rotate != (b.Previous != ""):
		return bad("previous", "belongs to a rotation, which needs it")
	case delegate != (len(b.Origins) > 0):
		return bad("origins", "belong to a delegation, which needs them")
	case !delegate && (b.Scope != "" || !b.Expires.IsZero()):
		return bad("scope", "and expires belong to a delegation")
	case revoke != (b.Reason != ""):
		return bad("reason", "belongs to a revocation, which needs it")
	case !revoke && (b.Of != nil || b.From != ""):
		return bad("of", "and from belong to a revocation")
	case !begins && b.Next != "" || b.Op == OpRecovery && b.Next == "":
		return bad("next", "belongs to an inception, a rotation and a recovery, which needs it")
	}
	return nil
}

// checkOrigins stops at the first that is wrong: a stranger's list may be long.
func (b *Key) checkOrigins() error {
	for i, o := range b.Origins {
		if err := o.check(); err != nil {
			return err
		}
		if o == OriginOwner {
			return bad("origins", "cannot hold owner: that is for a key under no delegation")
		}
		if i > 0 && b.Origins[i-1] >= o {
			return bad("origins", "must be sorted and unique")
		}
	}
	return nil
}

func (*Key) sealed() {}

// didPrefix begins every id of an Ed25519 key; 44 base58 characters follow.
const (
	didPrefix  = "did:key:z6Mk"
	didBytes   = len("did:key:z") + 47
	base58Digs = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

// did checks the shape of a key's id. Whether it is a good key is for the
// package that verifies signatures.
func did(field, s string) error {
	if len(s) != didBytes || !strings.HasPrefix(s, didPrefix) || strings.Trim(s[len(didPrefix):], base58Digs) != "" {
		return bad(field, "must be the did:key of an Ed25519 key, got %q", clip(s))
	}
	return nil
}

// Ends reports whether a record is to end what a key may say: it replaces one, or takes
// one back. A store lets it come after all that came before it.
func (r *Record) Ends() bool {
	k, ok := r.Body.(*Key)
	return ok && (k.Op == OpRotate || k.Op == OpRevoke)
}
