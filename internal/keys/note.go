package keys

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	noteEd25519 = 1 // the type of an Ed25519 key in a signed note

	dsseHead = "DSSEv1 "

	maxNote     = 1 << 20 // as much as readers of notes take
	maxNoteName = 256
)

// NoteSigner signs checkpoints: notes as in C2SP signed-note. It is what package note
// of golang.org/x/mod asks of a signer.
type NoteSigner struct {
	key  *Key
	name string
	hash uint32
}

// NoteSigner returns a signer of notes with this key under a name: not empty, without
// white space and plus signs.
func (k *Key) NoteSigner(name string) (*NoteSigner, error) {
	hash, err := noteHash(name, k.did)
	if err != nil {
		return nil, fmt.Errorf("sign notes: %w", err)
	}
	return &NoteSigner{key: k, name: name, hash: hash}, nil
}

// Name returns the name.
func (s *NoteSigner) Name() string { return s.name }

// KeyHash returns the number by which a note's signature line hints at the key.
func (s *NoteSigner) KeyHash() uint32 { return s.hash }

// Sign returns the 64-byte signature of a note's text. It refuses what is no text of a
// note: so it signs nothing that DSSE, or SSH, would take for a message of its own.
func (s *NoteSigner) Sign(text []byte) ([]byte, error) {
	if err := checkNote(text); err != nil {
		return nil, fmt.Errorf("sign note: %w", err)
	}
	return s.key.sign(text)
}

// NoteKey returns the line by which others verify the notes that a key signs under a
// name: the name, the hint and the public key.
func NoteKey(name, did string) (string, error) {
	hash, err := noteHash(name, did)
	if err != nil {
		return "", fmt.Errorf("note key: %w", err)
	}
	public, err := parseDID(did)
	if err != nil {
		return "", fmt.Errorf("note key: %w", err)
	}
	return fmt.Sprintf(
		"%s+%08x+%s", name, hash, base64.StdEncoding.EncodeToString(append([]byte{noteEd25519}, public[:]...)),
	), nil
}

func noteHash(name, did string) (uint32, error) {
	if name == "" || len(name) > maxNoteName || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '+' }) {
		return 0, fmt.Errorf("no note can be signed under the name %s", shorten(name))
	}
	public, err := parseDID(did)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(append([]byte(name+"\n\x01"), public[:]...))
	return binary.BigEndian.Uint32(sum[:]), nil
}

func checkNote(text []byte) error {
	switch {
	case len(text) > maxNote:
		return fmt.Errorf("%d bytes exceed %d", len(text), maxNote)
	case strings.HasPrefix(string(text), dsseHead):
		return errors.New("it begins as a message of DSSE does")
	case !utf8.Valid(text):
		return errors.New("it is no UTF-8")
	case len(text) == 0 || text[len(text)-1] != '\n':
		return errors.New("it does not end with a newline")
	case strings.ContainsFunc(string(text), func(r rune) bool { return r < ' ' && r != '\n' }):
		return errors.New("it has control characters")
	}
	return nil
}
