// Package keys holds private keys: it makes them, keeps them on disk, and signs
// with them. It is the only package that does. It also checks signatures, since
// what may be verified and what may be signed is one rule.
//
// The suite is fixed by the type of the key, never negotiated: Ed25519 (RFC 8032)
// over the DSSE v1 pre-authentication encoding, keys named by did:key.
package keys

import (
	"crypto/ed25519"
	"fmt"
	"io"
)

// Key is a signing key. Its name is always known; its private half may be elsewhere
// until it signs: in a file locked with a passphrase, or in an ssh-agent for good. It
// can be used by several goroutines at once. Printed, logged or encoded in any way it
// shows its did:key and nothing else.
type Key struct {
	did string
	// Funcs, so that nothing which walks values by reflection can print what is in
	// them: such a walk reads unexported fields and follows pointers, but a func is
	// opaque.
	sign    func(message []byte) ([]byte, error)
	private func() ed25519.PrivateKey // nil if it is elsewhere
	place   Place
	lend    func(passphrase []byte) (lock func(), err error) // nil if it is not locked
}

// Place says where the private half of a key was when the key was loaded.
type Place string

// The places.
const (
	AtHand  Place = "at hand"
	Locked  Place = "locked"    // in a file, with a passphrase
	InAgent Place = "ssh-agent" // or nowhere: only the agent knows
)

// Generate makes a key of exactly 32 bytes read from rand: the same bytes make the
// same key.
func Generate(rand io.Reader) (*Key, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(rand, seed); err != nil {
		return nil, fmt.Errorf("generate key: %w", err)
	}
	return FromSeed(seed)
}

// FromSeed makes the key of a 32-byte RFC 8032 seed. It keeps no part of seed.
func FromSeed(seed []byte) (*Key, error) {
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("key from seed: %d bytes, want %d", len(seed), ed25519.SeedSize)
	}
	private := ed25519.NewKeyFromSeed(seed)
	return &Key{
		did:     encodeDID([ed25519.PublicKeySize]byte(private[ed25519.SeedSize:])),
		sign:    func(message []byte) ([]byte, error) { return ed25519.Sign(private, message), nil },
		private: func() ed25519.PrivateKey { return private },
		place:   AtHand,
	}, nil
}

// DID returns the key's public name, did:key:z6Mk….
func (k *Key) DID() string { return k.did }

// Place returns where the private half was when the key was loaded.
func (k *Key) Place() Place { return k.place }

// Sign returns the 64-byte signature of payload as payloadType. The same key, type
// and payload always give the same bytes. A key whose private half is at hand does
// not fail; one that is locked asks for its passphrase, and keeps what it unlocked.
func (k *Key) Sign(payloadType string, payload []byte) ([]byte, error) {
	return k.sign(PAE(payloadType, payload))
}

// Lend unlocks a locked key with its passphrase until lock is called. Meanwhile it signs
// without asking. A key that is not locked needs no passphrase.
func (k *Key) Lend(passphrase []byte) (lock func(), err error) {
	if k.lend == nil {
		return func() {}, nil
	}
	return k.lend(passphrase)
}

// String returns the did:key.
func (k Key) String() string { return k.did }

// Format writes the did:key for every verb. String alone would not do: %d and %x
// do not ask for it.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, k.did) }

// MarshalText returns the did:key, so that this is what JSON and log handlers show.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.did), nil }
