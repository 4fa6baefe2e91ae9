package memory

import (
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
	"time"
)

// rfc8032Seed is the secret of TEST 1 in RFC 8032, which everybody knows.
const rfc8032Seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"

func rfc8032Key() crypto.Signer {
	seed, _ := hex.DecodeString(rfc8032Seed)
	return ed25519.NewKeyFromSeed(seed)
}

// didOf spells a public key as did:key: base58 of its multicodec and itself.
func didOf(key ed25519.PublicKey) string {
	n := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, key...))
	base, digit := big.NewInt(int64(len(base58Digs))), new(big.Int)
	var out []byte
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append([]byte{base58Digs[digit.Int64()]}, out...)
	}
	return "did:key:z" + string(out)
}

// An actor is one who writes records in tests.
type actor struct {
	did    string
	grant  ID // the delegation it acts under
	origin Origin
}

// someone makes the owner of a key of its own; the same n is the same key.
func someone(n byte) actor {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	return actor{did: didOf(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)), origin: OriginOwner}
}

// noon is when tests begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A scene makes records of several actors with a fresh nonce each, so that a
// test's records are the same in every run.
type scene struct {
	testing.TB
	count uint64
	space string
}

func newScene(t testing.TB, owner actor) *scene {
	return &scene{TB: t, space: owner.did + "/main"}
}

func nonceOf(n uint64) string {
	var b [nonceBytes]byte
	binary.BigEndian.PutUint64(b[8:], n)
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (s *scene) header(by actor, at time.Time) Header {
	s.count++
	return Header{
		Space: s.space, Author: by.did, Delegation: by.grant, Origin: by.origin, At: At(at),
		Confidence: 600, Provenance: Provenance{Via: ViaDirect}, Nonce: nonceOf(s.count),
	}
}

func (s *scene) make(h Header, b Body) *Record {
	s.Helper()
	r, err := New(h, b)
	if err != nil {
		s.Fatalf("New(%s): %v", b.kind(), err)
	}
	return r
}

func (s *scene) write(by actor, at time.Time, b Body) *Record {
	s.Helper()
	return s.make(s.header(by, at), b)
}

func ref(r *Record) *Ref {
	out := r.Ref()
	return &out
}

// names reports whether err says that field is wrong.
func names(err error, field string) bool {
	if err == nil {
		return false
	}
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, field+": ") || strings.Contains(line, ": "+field+": ") {
			return true
		}
	}
	return false
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func refTo(kind Kind, n byte) Ref { return Ref{kind, ID{31: n}} }
