package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"slices"
	"testing"

	"golang.org/x/crypto/ssh"
)

// A key that was read to know whose it is signs as any, and not at all where the public half in its
// file is another's: such a signature would give the private half away.
func TestKnownKeysAreComparedWhenTheySign(t *testing.T) {
	own, other := newKey(t, 1), newKey(t, 2)
	file := func(public *Key) []byte {
		t.Helper()
		both := append(slices.Clone(own.private()[:ed25519.SeedSize]), public.private()[ed25519.SeedSize:]...)
		block, err := ssh.MarshalPrivateKey(both, "")
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(block)
	}
	known, err := parseKnown(file(own), nil)
	if err != nil || known.DID() != own.DID() {
		t.Fatalf("%v, %v", known, err)
	}
	want, _ := own.Sign("text", []byte("words"))
	if got, err := known.Sign("text", []byte("words")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("signed %x, %v, want %x", got, err, want)
	}
	known, err = parseKnown(file(other), nil)
	if err != nil {
		t.Fatal(err)
	}
	if sig, err := known.Sign("text", []byte("words")); err == nil {
		t.Errorf("signed %x with the public half of another", sig)
	}
}
