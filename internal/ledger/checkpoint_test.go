package ledger

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// signer is a key that signs notes in tests.
type signer struct {
	note.Signer
	public  []byte
	cosigns time.Time // zero: it signs the text alone
}

func newSigner(t testing.TB, name string, seed byte) signer {
	t.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 100)), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.SplitN(public, "+", 3)[2])
	if err != nil {
		t.Fatal(err)
	}
	return signer{Signer: s, public: key[1:]}
}

func (s signer) verifier(t testing.TB) note.Verifier {
	t.Helper()
	make := Verifier
	if !s.cosigns.IsZero() {
		make = Cosigner
	}
	v, err := make(s.Name(), s.public)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (s signer) KeyHash() uint32 {
	if s.cosigns.IsZero() {
		return s.Signer.KeyHash()
	}
	return keyHash(s.Name(), algCosignature, s.public)
}

func (s signer) Sign(text []byte) ([]byte, error) {
	if s.cosigns.IsZero() {
		return s.Signer.Sign(text)
	}
	return Cosign(text, s.cosigns, s.Signer.Sign)
}

func testCheckpoint() Checkpoint {
	var f Frontier
	f.Append(testIDs(7)...)
	return Checkpoint{Origin: "example.org/log", Size: 7, Root: f.Root()}
}

func TestCheckpointsAreWrittenAndReadInOneWay(t *testing.T) {
	c := testCheckpoint()
	text, err := c.Format()
	if err != nil {
		t.Fatal(err)
	}
	if want := "example.org/log\n7\n" + EncodeHash(c.Root) + "\n"; text != want {
		t.Errorf("Format() = %q, want %q", text, want)
	}
	root := EncodeHash(c.Root)
	for _, good := range []string{
		text, text + "more\n", text + "one\ntwo\n", "o\n0\n" + EncodeHash(EmptyRoot()) + "\n",
		"log with spaces — and more\n7\n" + root + "\n",
	} {
		read, err := ParseCheckpoint(good)
		if err != nil {
			t.Errorf("%q: %v", good, err)
			continue
		}
		if again, err := read.Format(); err != nil || again != good {
			t.Errorf("read %q, wrote %q (%v)", good, again, err)
		}
	}
	for _, bad := range []string{
		"", "\n", "o\n7\n", "o\n7\n" + root, "\n7\n" + root + "\n", " \n7\n" + root + "\n",
		"o\n07\n" + root + "\n", "o\n+7\n" + root + "\n", "o\n-7\n" + root + "\n", "o\n-0\n" + root + "\n",
		"o\n7 \n" + root + "\n",
		"o\n0x7\n" + root + "\n", "o\n9223372036854775808\n" + root + "\n", "o\n9223372036854775807\n" + root + "\n",
		"o\n7\n" + root + "\r\n", "o\r\n7\n" + root + "\n", "o\n7\n" + root[:40] + "\n",
		"o\n7\n" + strings.TrimRight(root, "=") + "\n",
		"o\n7\n" + root + "\n\n", "o\n7\n" + root + "\n\nmore\n", "o\n0\n" + root + "\n", "o\n7\n\n",
		"o\x00\n7\n" + root + "\n", "o\xff\n7\n" + root + "\n",
		strings.Repeat("o", 600) + "\n7\n" + root + "\n", text + strings.Repeat("x\n", 100),
		text + strings.Repeat("x", 1000) + "\n", strings.Repeat("x", 1<<20),
	} {
		if c, err := ParseCheckpoint(bad); err == nil {
			t.Errorf("%.80q: read as %+v", bad, c)
		}
	}
	for _, bad := range []Checkpoint{
		{}, {Origin: "a\nb"}, {Origin: "o", Size: -1}, {Origin: "o", Size: 1, Extra: []string{""}},
		{Origin: "o", Size: 1, Extra: []string{"a\nb"}},
	} {
		if _, err := Sign(bad, newSigner(t, "k", 1)); err == nil {
			t.Errorf("%+v: signed", bad)
		}
	}
}

func TestASignedCheckpoint(t *testing.T) {
	c := testCheckpoint()
	store, hub, other := newSigner(t, "store", 1), newSigner(t, "hub", 2), newSigner(t, "other", 3)
	hub.cosigns = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	raw, err := Sign(c, store, hub)
	if err != nil {
		t.Fatal(err)
	}
	got, sigs, err := Open(raw, store.verifier(t), hub.verifier(t), other.verifier(t))
	if err != nil {
		t.Fatal(err)
	}
	if got.Origin != c.Origin || got.Size != c.Size || got.Root != c.Root {
		t.Errorf("opened %+v, want %+v", got, c)
	}
	if len(sigs) != 2 || sigs[0].Name != "store" || !sigs[0].At.IsZero() || sigs[1].Name != "hub" ||
		!sigs[1].At.Equal(hub.cosigns) {
		t.Errorf("signatures %+v, want the store's and the hub's of %s", sigs, hub.cosigns)
	}
	if _, sigs, err := Open(raw, hub.verifier(t)); err != nil || len(sigs) != 1 || sigs[0].Name != "hub" {
		t.Errorf("with the hub's key alone: %+v, %v", sigs, err)
	}
	if _, _, err := Open(raw, other.verifier(t)); !errors.Is(err, ErrNoKnownKey) {
		t.Errorf("with another's key: %v, want %v", err, ErrNoKnownKey)
	}
	if _, _, err := Open(raw); !errors.Is(err, ErrNoKnownKey) {
		t.Errorf("with no key: %v, want %v", err, ErrNoKnownKey)
	}
	if got, sigs, err := Read(raw); err != nil || got.Size != c.Size || len(sigs) != 2 {
		t.Errorf("Read: %+v, %+v, %v", got, sigs, err)
	}
	// A key of the same name, and a cosigner's key as if it signed the text alone.
	another := newSigner(t, "store", 9)
	if _, _, err := Open(raw, another.verifier(t)); !errors.Is(err, ErrNoKnownKey) {
		t.Errorf("with another key of the same name: %v, want %v", err, ErrNoKnownKey)
	}
	plain := hub
	plain.cosigns = time.Time{}
	if _, _, err := Open(raw, plain.verifier(t)); !errors.Is(err, ErrNoKnownKey) {
		t.Errorf("with a cosigner's key for the text alone: %v, want %v", err, ErrNoKnownKey)
	}
}

func TestEveryFlippedBitOfASignedCheckpointIsFound(t *testing.T) {
	store, hub := newSigner(t, "store", 1), newSigner(t, "hub", 2)
	hub.cosigns = time.Unix(1770000000, 0)
	raw, err := Sign(testCheckpoint(), store, hub)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(raw)*8; i += fewer {
		b := bytes.Clone(raw)
		b[i/8] ^= 1 << (i % 8)
		if c, sigs, err := Open(b, store.verifier(t), hub.verifier(t)); err == nil && len(sigs) == 2 {
			t.Errorf("bit %d of byte %d flipped: opened as %+v", i%8, i/8, c)
		}
	}
}

func TestKeysOfNotesNeedGoodNames(t *testing.T) {
	public := newSigner(t, "k", 1).public
	for _, name := range []string{"", "a b", "a+b", "a\nb", "a\x00", "\xff", "a\u00a0b", strings.Repeat("a", 1000)} {
		if _, err := Verifier(name, public); err == nil {
			t.Errorf("%.40q: a key of that name", name)
		}
	}
	if _, err := Verifier("k", public[:31]); err == nil {
		t.Error("a key of 31 bytes")
	}
	if _, err := Verifier("did:key:z6MkiaMbhXHNA4eJVCCj8dbzKzTgYDKf6crKgHVHid1F1WCT/main", public); err != nil {
		t.Errorf("the name of a space: %v", err)
	}
}

func TestKeysOfNotesAreReadFromTheirLine(t *testing.T) {
	public := newSigner(t, "k", 1).public
	for alg, make := range map[byte]func(string, ed25519.PublicKey) (note.Verifier, error){
		algEd25519: Verifier, algCosignature: Cosigner,
	} {
		want, err := make("example.org/k", public)
		if err != nil {
			t.Fatal(err)
		}
		good := fmt.Sprintf(
			"example.org/k+%08x+%s", want.KeyHash(),
			base64.StdEncoding.EncodeToString(append([]byte{alg}, public...)),
		)
		got, err := ParseVerifier(good)
		if err != nil || got.Name() != want.Name() || got.KeyHash() != want.KeyHash() {
			t.Errorf("%s: %v, %v", good, got, err)
		}
		for i := range len(good) * 8 {
			b := []byte(good)
			b[i/8] ^= 1 << (i % 8)
			if v, err := ParseVerifier(string(b)); err == nil {
				t.Errorf("%q: read as %s+%08x", b, v.Name(), v.KeyHash())
			}
		}
	}
	for _, bad := range []string{"", "+", "++", "k+00000000+", "k+00000000+AQ=="} {
		if _, err := ParseVerifier(bad); err == nil {
			t.Errorf("%q: read", bad)
		}
	}
}

func FuzzOpen(f *testing.F) {
	store, hub := newSigner(f, "store", 1), newSigner(f, "hub", 2)
	hub.cosigns = time.Unix(1770000000, 0)
	raw, err := Sign(testCheckpoint(), store, hub)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("o\n1\n\n\n— store "))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _, err := Open(b, store.verifier(t), hub.verifier(t))
		if err == nil && (c.Size != 7 || c.Origin != "example.org/log") {
			t.Errorf("%q opens as %+v", b, c)
		}
		if c, _, err := Read(b); err == nil {
			if _, err := c.Format(); err != nil {
				t.Errorf("%q is read as what cannot be written: %v", b, err)
			}
		}
	})
}

// A cosignature has a time and a signature, and nothing less or more.
func TestACosignatureHasItsLength(t *testing.T) {
	for n, want := range map[int]bool{0: false, 7: false, 71: false, 72: true, 73: false} {
		if at, rest, ok := cutTime(make([]byte, n)); ok != want || ok && len(rest) != 64 || at != 0 {
			t.Errorf("%d bytes are a cosignature: %v, of %d with a signature of %d", n, ok, at, len(rest))
		}
	}
}
