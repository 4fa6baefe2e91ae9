package keys

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// The shape that golang.org/x/mod/sumdb/note asks of a signer.
var _ interface {
	Name() string
	KeyHash() uint32
	Sign(msg []byte) ([]byte, error)
} = (*NoteSigner)(nil)

func TestSignedNoteVector(t *testing.T) {
	var v struct {
		VKey string
		Note string
		Text string `json:"signed_text"`
	}
	readJSON(t, "signed_note.json", &v)
	name, rest, _ := strings.Cut(v.VKey, "+")
	hint, digits, _ := strings.Cut(rest, "+")
	b, err := base64.StdEncoding.DecodeString(digits)
	if err != nil || len(b) != 33 || b[0] != noteEd25519 {
		t.Fatalf("key %x (%v)", b, err)
	}
	did := encodeDID(publicKey(b[1:]))
	hash, err := noteHash(name, did)
	if got := fmt.Sprintf("%08x", hash); err != nil || got != hint {
		t.Errorf("hash %s (%v), want %s", got, err, hint)
	}
	if got, err := NoteKey(name, did); err != nil || got != v.VKey {
		t.Errorf("NoteKey = %s, %v, want %s", got, err, v.VKey)
	}
	fields := strings.Fields(v.Note)
	sig, err := base64.StdEncoding.DecodeString(fields[len(fields)-1])
	if err != nil {
		t.Fatal(err)
	}
	if got := binary.BigEndian.Uint32(sig); got != hash {
		t.Errorf("the note's hint is %08x, want %08x", got, hash)
	}
	if !verify(publicKey(b[1:]), []byte(v.Text), sig[4:]) {
		t.Error("the note is not signed by its key")
	}
}

func TestANoteSignerSignsItsTextAsItIs(t *testing.T) {
	key := newKey(t, 1)
	s, err := key.NoteSigner("stemma.example/log")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("stemma.example/log\n3\nAAAA\n")
	sig, err := s.Sign(text)
	if err != nil || !verify(publicKey(mustParse(t, key.DID())), text, sig) {
		t.Errorf("signature %x, %v", sig, err)
	}
	if got, want := s.Name(), "stemma.example/log"; got != want {
		t.Errorf("Name = %s, want %s", got, want)
	}
	vkey, err := NoteKey(s.Name(), key.DID())
	if want := fmt.Sprintf("%s+%08x+", s.Name(), s.KeyHash()); err != nil || !strings.HasPrefix(vkey, want) {
		t.Errorf("NoteKey = %s, %v, want it to begin %s", vkey, err, want)
	}
}

func TestASignerOfNotesSignsNothingElse(t *testing.T) {
	s, err := newKey(t, 1).NoteSigner("log")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"DSSE":                string(PAE("application/vnd.stemma.raw.v1+json", []byte("{}"))),
		"DSSE with a newline": string(PAE("application/vnd.stemma.raw.v1+json", []byte("{}\n"))),
		"begun as DSSE":       dsseHead + "\n",
		"empty":               "",
		"no newline":          "log\n3\nAAAA",
		"NUL":                 "log\x00\n",
		"escape":              "log\x1b[2J\n",
		"tab":                 "log\t\n",
		"CR":                  "log\r\n",
		"no UTF-8":            "log\xff\n",
		"SSH":                 "SSHSIG\x00\x00\x00\x04file\n",
		"huge":                strings.Repeat("a", maxNote) + "\n",
	} {
		if sig, err := s.Sign([]byte(text)); err == nil || sig != nil {
			t.Errorf("%s: signed", name)
		}
	}
	if _, err := s.Sign([]byte("a DSSEv1 \n")); err != nil {
		t.Errorf("the words further on: %v", err)
	}
	for _, name := range []string{
		"", "a b", "a+b", "a\nb", "a\tb", "\xff", "a\u00a0b", "a\x00", strings.Repeat("a", maxNoteName+1),
	} {
		if _, err := newKey(t, 1).NoteSigner(name); err == nil {
			t.Errorf("a signer is called %q", name)
		}
		if _, err := NoteKey(name, newKey(t, 1).DID()); err == nil {
			t.Errorf("a note key is called %q", name)
		}
	}
	if _, err := NoteKey("log", encodeDID(publicKey{1})); err == nil {
		t.Error("a note key of small order")
	}
}
