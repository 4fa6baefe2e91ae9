package state

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/stemma-memory/stemma/memory"
)

// maxHistory bounds the history of one principal.
const maxHistory = 1 << 10

// Principal returns the key that began the history a key belongs to: itself, if it
// follows none.
func (k *Keyring) Principal(did string) string {
	if len(k.follows[did]) == 0 {
		return did
	}
	past := k.past(did)
	return past[len(past)-1].key
}

// Current returns the key that speaks now for the history a key belongs to.
func (k *Keyring) Current(did string) string {
	keys := k.heirs(did)
	return keys[len(keys)-1]
}

// History returns the keys of the history that began with a principal, the first
// first.
func (k *Keyring) History(principal string) []string { return k.heirs(principal) }

// heirs returns a key and those that followed it.
func (k *Keyring) heirs(did string) []string {
	out := []string{did}
	var by []*Of[*memory.Key]
	for len(out) < maxHistory {
		w := k.successor(out[len(out)-1])
		if w == nil {
			break
		}
		if f := k.followed(w.Body.Key); f == nil || f.ID != w.ID {
			break // it follows another
		}
		by = append(by, w)
		if w.Body.Key == did {
			return out[:k.last(by)+1] // a ring
		}
		out = append(out, w.Body.Key)
	}
	return out
}

// last returns the place of the rotation that came last.
func (k *Keyring) last(rotations []*Of[*memory.Key]) int {
	last := 0
	for i, r := range rotations {
		if k.first(rotations[last].Record, r.Record) {
			last = i
		}
	}
	return last
}

// A stage is one key of a history, and the rotation by which it came.
type stage struct {
	key string
	by  *Of[*memory.Key] // nil of the first
}

// past returns a key and those it follows, the first of the history last. Where keys
// follow one another in a ring, the rotation that came last closed it and does not
// count.
func (k *Keyring) past(did string) []stage {
	out := []stage{{key: did}}
	for len(out) < maxHistory {
		last := &out[len(out)-1]
		if last.by = k.followed(last.key); last.by == nil {
			return out
		}
		if before := last.by.Body.Previous; before != did {
			out = append(out, stage{key: before})
			continue
		}
		var by []*Of[*memory.Key]
		for _, s := range out {
			by = append(by, s.by)
		}
		out = out[:k.last(by)+1]
		break
	}
	out[len(out)-1].by = nil
	return out
}

// followed returns the rotation by which a key follows another: of several the first
// to come.
func (k *Keyring) followed(did string) *Of[*memory.Key] {
	var best *Of[*memory.Key]
	for i := range k.follows[did] {
		r := &k.follows[did][i]
		if w := k.successor(r.Body.Previous); w == nil || w.ID != r.ID {
			continue
		}
		if best == nil || k.first(r.Record, best.Record) {
			best = r
		}
	}
	return best
}

// successor returns the rotation that replaces a key. One signed by the recovery
// key comes before one by the key itself, which a thief can sign too; among the
// rest the first to come counts. A key that was taken back by itself or by its
// recovery key hands over no more.
func (k *Keyring) successor(did string) *Of[*memory.Key] {
	if len(k.rotations[did]) == 0 {
		return nil
	}
	next := k.next(did)
	var best *Of[*memory.Key]
	saved := false // best is signed by the recovery key
	for i := range k.rotations[did] {
		r := &k.rotations[did][i]
		recovered := r.Header.Author != did && saves(next, r.Header.Author)
		if !recovered && r.Header.Author != did {
			continue
		}
		if best == nil || recovered && !saved || recovered == saved && k.first(r.Record, best.Record) {
			best, saved = r, recovered
		}
	}
	if best == nil || saved {
		return best
	}
	for _, v := range k.revocations[did] {
		if by := v.Header.Author; v.Body.Of == nil && (by == did || saves(next, by)) && k.surely(v.Record, best.Record) {
			return nil
		}
	}
	return best
}

// Commitment returns what an inception, a rotation or a recovery says in next of
// the recovery key with this did.
func Commitment(did string) string {
	sum := sha256.Sum256([]byte(did))
	return hex.EncodeToString(sum[:])
}

// recovers reports whether a key is the recovery key to which another committed.
func (k *Keyring) recovers(did, by string) bool { return by != did && saves(k.next(did), by) }

// saves reports whether a commitment is to a key; "" is to none.
func saves(next, by string) bool { return next != "" && Commitment(by) == next }

// next returns a key's commitment to its recovery key, "" if it has none.
func (k *Keyring) next(did string) string {
	if c := k.commitment(did); c != nil {
		return c.Body.Next
	}
	return ""
}

// commitment returns the record by which a key committed to its recovery key: the
// first to come, and before the key itself said that it ends. What a thief commits
// to after the owner did, or after the owner left, counts for nothing.
func (k *Keyring) commitment(did string) *Of[*memory.Key] {
	var best *Of[*memory.Key]
	for i := range k.commits[did] {
		if c := &k.commits[did][i]; best == nil || k.first(c.Record, best.Record) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	for _, list := range [][]Of[*memory.Key]{k.rotations[did], k.revocations[did]} {
		for _, e := range list {
			if e.Header.Author == did && e.Body.Of == nil && k.surely(e.Record, best.Record) {
				return nil
			}
		}
	}
	return best
}
