package peer

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// Whoever is told that a key was replaced is told first what it said of others: whom it
// let act, and whose key it took back.
func TestEndsGoInTheirOrder(t *testing.T) {
	t.Parallel()
	ann := newPerson(t, "ann")
	good, bad, next := ann.agent(t, "good"), ann.agent(t, "bad"), newKey(t, "ann's next")
	revoke := ann.make(t, ann.home(), &memory.Key{Op: memory.OpRevoke, Key: bad.key.DID(), Reason: memory.Compromised})
	rotate := rotation(t, ann, next)
	said := []*memory.Record{ann.identity[0], good.identity[1], bad.identity[1], revoke, rotate}
	book := NewKeyBook(said)
	before := func(what string, got []*memory.Record) {
		t.Helper()
		at := slices.Index(got, rotate)
		for _, r := range said[:4] {
			if i := slices.Index(got, r); i < 0 || i > at {
				t.Errorf("%s: %s stands at %d, the rotation at %d", what, r.Body.(*memory.Key).Op, i, at)
			}
		}
	}
	before("what concerns her first key", book.Concern([]string{ann.key.DID()}))
	ann.key = next
	before("what her next key needs", book.Needs(ann.belief(t, ann.first+"/team", "words")))
}

// rotation says that a person's key is replaced, signed by both.
func rotation(t testing.TB, p *person, next *keys.Key) *memory.Record {
	t.Helper()
	r := p.make(t, p.first+"/main", &memory.Key{Op: memory.OpRotate, Key: next.DID(), Previous: p.key.DID()})
	sig, err := next.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: next.DID(), Sig: sig})
	return r
}
