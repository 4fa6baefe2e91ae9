package state

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"math/big"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// didOf spells a public key as did:key: base58 of its multicodec and itself.
func didOf(key ed25519.PublicKey) string {
	const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	n := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, key...))
	base, digit := big.NewInt(int64(len(digits))), new(big.Int)
	var out []byte
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append([]byte{digits[digit.Int64()]}, out...)
	}
	return "did:key:z" + string(out)
}

// An actor is one who writes records in tests.
type actor struct {
	did    string
	grant  memory.ID // the delegation it acts under
	origin memory.Origin
}

// someone makes the owner of a key of its own; the same n is the same key.
func someone(n byte) actor {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	did := didOf(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
	return actor{did: did, origin: memory.OriginOwner}
}

// noon is when tests begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A scene makes records of several actors with a fresh nonce each, so that a
// test's records are the same in every run.
type scene struct {
	testing.TB
	count uint64
	space string
	ring  *Keyring
}

func newScene(t testing.TB, owner actor) *scene {
	return &scene{TB: t, space: owner.did + "/main", ring: new(Keyring)}
}

func (s *scene) header(by actor, at time.Time) memory.Header {
	s.count++
	var nonce [16]byte
	binary.BigEndian.PutUint64(nonce[8:], s.count)
	return memory.Header{
		Space: s.space, Author: by.did, Delegation: by.grant, Origin: by.origin, At: memory.At(at),
		Confidence: 600, Provenance: memory.Provenance{Via: memory.ViaDirect},
		Nonce: base64.RawURLEncoding.EncodeToString(nonce[:]),
	}
}

func (s *scene) make(h memory.Header, b memory.Body) *memory.Record {
	s.Helper()
	r, err := memory.New(h, b)
	if err != nil {
		s.Fatalf("New(%T): %v", b, err)
	}
	return r
}

func (s *scene) write(by actor, at time.Time, b memory.Body) *memory.Record {
	s.Helper()
	return s.make(s.header(by, at), b)
}

// revise writes what replaces olds.
func (s *scene) revise(by actor, at time.Time, statement string, olds ...*memory.Record) *memory.Record {
	s.Helper()
	h := s.header(by, at)
	h.Provenance.Via = memory.ViaRevision
	for _, old := range olds {
		h.Provenance.From = append(h.Provenance.From, old.Ref())
		h.Provenance.Supersedes = append(h.Provenance.Supersedes, old.Ref())
	}
	return s.make(h, &memory.Belief{Statement: statement})
}

// delegate lets the key n act for owner through the channels given.
func (s *scene) delegate(owner actor, n byte, expires memory.Time, origins ...memory.Origin) actor {
	s.Helper()
	a := someone(n)
	grant := s.write(owner, noon.Add(-time.Hour), &memory.Key{
		Op: memory.OpDelegate, Key: a.did, Origins: origins, Expires: expires,
	})
	s.ring.Add(grant)
	a.grant, a.origin = grant.ID, origins[0]
	return a
}

func (s *scene) fold(r *memory.Record, about ...*memory.Record) State {
	return Fold(r, about, noon.Add(24*time.Hour), s.ring)
}

func ref(r *memory.Record) *memory.Ref {
	out := r.Ref()
	return &out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ptr[T any](v T) *T { return &v }
