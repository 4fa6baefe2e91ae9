package memory

import "slices"

// A Voice is with what right a record speaks.
type Voice struct {
	Principal string // the owner's key behind it; "" is a stranger
	Owner     bool   // the owner's own key spoke, not one it delegated to
}

// Standing tells with what voice a record speaks.
type Standing interface {
	Voice(r *Record) Voice
}

// A Keyring is the Standing that follows from key records: a record under no
// delegation speaks as its own key; one under a delegation speaks for the key
// that signed the delegation, if that is held and allows it. The zero Keyring
// holds no delegation. It is not safe for concurrent use while Add is called.
type Keyring struct {
	delegations map[ID]Of[*Key]
}

// NewKeyring makes a Keyring of the key records among rs.
func NewKeyring(rs ...*Record) *Keyring {
	k := new(Keyring)
	for _, r := range rs {
		k.Add(r)
	}
	return k
}

// Add takes a key record into account; others are ignored.
func (k *Keyring) Add(r *Record) {
	b, ok := As[*Key](r)
	if !ok || b.Body.Op != OpDelegate || !r.Header.Delegation.IsZero() {
		return // a delegate cannot delegate
	}
	if k.delegations == nil {
		k.delegations = make(map[ID]Of[*Key])
	}
	k.delegations[r.ID] = b
}

// Voice tells with what voice r speaks. A delegation that is not held, names
// another key, does not cover r's origin or had expired makes r a stranger.
func (k *Keyring) Voice(r *Record) Voice {
	h := &r.Header
	if h.Delegation.IsZero() {
		return Voice{Principal: h.Author, Owner: true}
	}
	d, held := k.delegations[h.Delegation]
	if !held || d.Body.Key != h.Author || !slices.Contains(d.Body.Origins, h.Origin) {
		return Voice{}
	}
	if e := d.Body.Expires; !e.IsZero() && h.At.After(e.Time) {
		return Voice{}
	}
	return Voice{Principal: d.Header.Author}
}

// May reports whether one who speaks with voice claimer may decide about r:
// forget it, protect it, supersede it, move its confidence. The owner of the
// author's key or of the space may; an agent only about what an agent of the
// same owner wrote.
func May(claimer Voice, r *Record, who Standing) bool {
	if claimer.Principal == "" {
		return false
	}
	author := who.Voice(r)
	if claimer.Principal == author.Principal {
		return claimer.Owner || !author.Owner
	}
	return claimer.Owner && claimer.Principal == r.Header.Owner()
}

// MayVerify reports whether one who speaks with voice claimer may say that r
// still holds: who may decide about it, and an agent of r's own owner about what
// the owner wrote. Such a word is shown as an agent's and moves no confidence.
func MayVerify(claimer Voice, r *Record, who Standing) bool {
	return May(claimer, r, who) || claimer.Principal != "" && claimer.Principal == who.Voice(r).Principal
}
