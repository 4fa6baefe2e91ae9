package keys

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// loadWith puts b in place of one file of a ring and loads it.
func loadWith(t testing.TB, dir, name string, b []byte) (*Ring, error) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(dir)
}

// checkDamage wants one line that names the file and shows nothing that was in it.
func checkDamage(t *testing.T, what string, err error, path string, key *Key) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: loaded", what)
		return
	}
	if !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %q, want one line that names %s", what, err, path)
	}
	for spelling, text := range spellings(key) {
		if strings.Contains(err.Error(), text) {
			t.Errorf("%s: the error shows the private half: %s", what, spelling)
		}
	}
}

func TestKeyFileCutAnywhereIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	path := filepath.Join(dir, "owner")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 1 { // without its last newline it is whole
		_, err := loadWith(t, dir, "owner", whole[:n])
		checkDamage(t, "cut", err, path, ring.Owner)
	}
	got, err := loadWith(t, dir, "owner", whole)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, got, ring)
}

// A flipped bit is refused or, in a comment or a space, changes nothing: it never
// makes another key.
func TestKeyFileWithAFlippedBitIsNeverAnotherKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	path := filepath.Join(dir, "agent")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		got, err := loadWith(t, dir, "agent", b)
		if err != nil {
			refused++
			checkDamage(t, "flipped", err, path, ring.Agent)
			continue
		}
		checkSame(t, got, ring)
	}
	if refused < len(whole)/2 {
		t.Errorf("%d of %d flips refused, want most", refused, len(whole))
	}
}

func TestFilesThatAreNoEd25519KeyAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	marshal := func(block *pem.Block, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(block)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	forged := slices.Clone(ring.Owner.private())
	copy(forged[32:], ring.Agent.private()[32:])
	agent, err := os.ReadFile(filepath.Join(dir, "agent"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := os.ReadFile(filepath.Join(dir, "owner.pub"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "damaged", nil},
		{"text", "damaged", []byte("not a key\n")},
		{"public half", "damaged", public},
		{"another type", "another type", marshal(ssh.MarshalPrivateKey(other, ""))},
		{"locked, another type", "another type", marshal(ssh.MarshalPrivateKeyWithPassphrase(other, "", []byte("x")))},
		{
			"locked, of old", "ssh-keygen -p",
			pem.EncodeToMemory(
				&pem.Block{Type: "EC PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}, Bytes: []byte("x")},
			),
		},
		{"public half of another", "public half", marshal(ssh.MarshalPrivateKey(forged, ""))},
		{"the agent's", "same key", agent},
		{"huge", "exceeds", bytes.Repeat([]byte("\n"), maxKeyFile+1)},
	} {
		_, err := loadWith(t, dir, "owner", tt.file)
		checkDamage(t, tt.name, err, filepath.Join(dir, "owner"), ring.Owner)
		if err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want it to say %q", tt.name, err, tt.want)
		}
	}
}
