package audit

import (
	"errors"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// heldNote is a checkpoint that no one has judged yet.
type heldNote struct {
	line  int
	space string // "" for one that was presented: its origin tells
	raw   []byte
}

// read is a checkpoint that was read.
type read struct {
	ledger.Checkpoint
	signed []report.Holder
	why    string // no known key signed it
}

// open reads a checkpoint and returns whose signatures are valid. It refuses one with an
// invalid signature by a known key.
func (c *court) open(n heldNote) (read, error) {
	_, sigs, err := ledger.Read(n.raw)
	if err != nil {
		return read{}, err
	}
	var known []note.Verifier
	var holders []report.Holder
	add := func(v note.Verifier, h report.Holder) {
		same := func(k note.Verifier) bool { return k.Name() == v.Name() && k.KeyHash() == v.KeyHash() }
		if !slices.ContainsFunc(known, same) { // the first is believed: a witness's
			known, holders = append(known, v), append(holders, h)
		}
	}
	for _, w := range c.a.witnesses {
		add(w, report.Holder{Name: w.Name(), Outside: true})
	}
	for _, did := range c.signers(n.space) {
		public, err := keys.ParseDID(did)
		if err != nil {
			continue
		}
		for _, s := range sigs {
			if ledger.KeyHash(s.Name, public) != s.Hash {
				continue
			}
			if v, err := ledger.Verifier(s.Name, public); err == nil {
				add(v, report.Holder{Name: s.Name, Key: did})
			}
		}
	}
	cp, held, err := ledger.Open(n.raw, known...)
	if errors.Is(err, ledger.ErrNoKnownKey) {
		cp, _, err = ledger.Read(n.raw)
		return read{Checkpoint: cp, why: "its checkpoint is signed by no key that is known here"}, err
	}
	if err != nil {
		return read{}, err
	}
	r := read{Checkpoint: cp}
	for _, s := range held {
		for i, v := range known {
			if v.Name() == s.Name && v.KeyHash() == s.Hash {
				h := holders[i]
				h.At = s.At
				r.signed = append(r.signed, h)
				break
			}
		}
	}
	return r, nil
}

// signers returns the keys that may sign a checkpoint of a space: those of its owners, those that
// an owner delegated, and the trusted ones.
func (c *court) signers(space string) []string {
	var out []string
	for _, t := range c.ring.Tenures(space) {
		out = append(out, c.keysOf(t.Owner)...)
	}
	return append(out, c.a.trusted...)
}

// keysOf returns the keys of an owner and those that the owner delegated.
func (c *court) keysOf(owner string) []string {
	whose := c.ring.Principal(owner)
	out := []string{owner}
	for _, r := range c.a.keys {
		b := r.Body.(*memory.Key)
		by, mine := b.Key, false
		switch b.Op {
		case memory.OpDelegate:
			mine = c.ring.Principal(r.Header.Author) == whose
		case memory.OpRotate:
			mine = c.ring.Principal(b.Key) == whose
		}
		if mine {
			out = append(out, by)
		}
	}
	return compactKeys(c.ring, whose, out)
}

// compactKeys returns each key once, and none that was taken back because somebody
// else had it.
func compactKeys(ring *state.Keyring, whose string, dids []string) []string {
	slices.Sort(dids)
	return slices.DeleteFunc(slices.Compact(dids), func(did string) bool {
		v := ring.Revoked(did, whose)
		return v != nil && v.Body.Reason == memory.Compromised
	})
}
