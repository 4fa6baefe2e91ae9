package state

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// A Keyring is the Voices that follow from key records. A record under no
// delegation speaks for the history of its own key; one under a delegation for
// that of the key which signed the delegation, if that is held and allows it. A
// key that was replaced or taken back speaks no more: what counts is when its
// records came to the reader, never what they say of themselves.
//
// Signatures are the caller's affair: only records whose signatures hold may be
// added. The zero Keyring holds nothing. It is not safe for concurrent use while
// Add is called.
type Keyring struct {
	// Arrived returns the place of a record in the reader's log. If it is nil or returns
	// false, the record has not arrived, and so comes after everything.
	Arrived func(memory.ID) (Arrival, bool)
	// Agrees reports whether the reader's log of a space had this root, in base64, when
	// it held size records. Nil agrees with nothing.
	Agrees func(space string, size int64, root string) bool
	// KeptBy is the principal whose own store this is.
	KeptBy string

	delegations map[memory.ID]Of[*memory.Key]
	rotations   map[string][]Of[*memory.Key]  // by the key that is replaced
	follows     map[string][]Of[*memory.Key]  // rotations by the new key
	revocations map[string][]Of[*memory.Key]  // by the key
	commits     map[string][]Of[*memory.Key]  // inceptions, rotations and recoveries that commit to a recovery key, by key
	counted     map[mark][]Of[*memory.Key]    // revocations by a place in a log that they name
	began       map[string]bool               // keys of inceptions
	introduced  map[memory.ID]Of[*memory.Key] // introductions
	keepers     map[string][]Of[*memory.Key]  // appointments of keepers, by space
	heirNames   map[string][]Of[*memory.Key]  // introductions that name next owners, by space
	holds       map[memory.ID]*held           // what revocations say of the decisions that hold
	accepts     map[memory.ID]Of[*memory.Key] // acceptances of keepers
}

// A mark is how long the log of a space was.
type mark struct {
	space string
	size  int64
}

func signedBy(r *memory.Record, did string) bool {
	return slices.ContainsFunc(r.Sigs, func(s memory.Signature) bool { return s.Key == did })
}

// Quiet reports whether no key was ever replaced or taken back.
func (k *Keyring) Quiet() bool { return len(k.rotations) == 0 && len(k.revocations) == 0 }

// Keeper is the principal whose own store this is.
func (k *Keyring) Keeper() string { return k.KeptBy }

// Arrival returns the place of a record in the reader's log, false where it has none.
func (k *Keyring) Arrival(id memory.ID) (Arrival, bool) {
	if k.Arrived == nil {
		return Arrival{}, false
	}
	return k.Arrived(id)
}

// Handed returns the keys to which rotations of a key hand over, whether they count
// or not.
func (k *Keyring) Handed(did string) []string {
	var out []string
	for _, r := range k.rotations[did] {
		out = append(out, r.Body.Key)
	}
	return out
}

// Knows reports whether a key record says that an owner's key began, or follows
// another.
func (k *Keyring) Knows(did string) bool { return k.began[did] || len(k.follows[did]) > 0 }

// Delegated returns a delegation that is held.
func (k *Keyring) Delegated(id memory.ID) (Of[*memory.Key], bool) {
	d, held := k.delegations[id]
	return d, held
}
