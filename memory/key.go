package memory

import "errors"

// KindKey is a statement about a signing key.
const KindKey Kind = "key"

var keyForm = Form{
	Kind: KindKey, Number: 107, Protected: true,
	New: func() Body { return new(Key) },
}

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
var keyOps = []string{OpInception, OpDelegate, OpRotate, OpRevoke, OpIntroduce, OpRecovery}

// Why a key is no longer to be believed.
const (
	Superseded  = "superseded"  // another took its place
	Lost        = "lost"        // it cannot be used any more
	Compromised = "compromised" // somebody else has it
)

// RevokeReasons are why a key is no longer to be believed.
var RevokeReasons = []string{Superseded, Lost, Compromised}

// kind is key.
func (*Key) kind() Kind { return KindKey }

// headline returns the operation and the key.
func (b *Key) headline() string { return b.Op + " " + b.Key }

// words returns the name.
func (b *Key) words() string { return b.Name }

// subjects returns the delegation a revocation takes back.
func (b *Key) subjects() []Ref {
	if b.Of == nil {
		return nil
	}
	return []Ref{*b.Of}
}

// check asks for a known operation on a well-formed key, with the members that
// belong to it and no others.
func (b *Key) check() error {
	err := errors.Join(b.checkOp(), b.checkOrigins())
	if b.Of != nil {
		err = errors.Join(err, oneRef("of", *b.Of))
	}
	if b.Previous != "" {
		err = errors.Join(err, did("previous", b.Previous))
	}
	return errors.Join(err, oneOf("op", b.Op, keyOps), did("key", b.Key), word("scope", b.Scope),
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

func (b *Key) write(w *writer) {
	w.time("expires", b.Expires)
	w.text("from", b.From)
	w.say("key", b.Key)
	w.text("name", b.Name)
	w.text("next", b.Next)
	w.ref("of", b.Of)
	w.say("op", b.Op)
	w.texts("origins", asTexts(b.Origins))
	w.text("previous", b.Previous)
	w.text("reason", b.Reason)
	w.text("scope", b.Scope)
}

// didPrefix begins every id of an Ed25519 key; 44 base58 characters follow.

func asTexts(list []Origin) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = string(o)
	}
	return out
}
