package ledger

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// MaxNote bounds a signed checkpoint, in bytes.
const MaxNote = 64 << 10

// The kinds of keys of signed notes, by C2SP.
const (
	algEd25519     = 0x01 // signs the text
	algCosignature = 0x04 // signs the text and when it was seen
)

const keyHashBytes, cosignTimeBytes = 4, 8

// ErrNoKnownKey says that none of the keys asked for signed a note.
var ErrNoKnownKey = errors.New("signed by none of the keys that are known")

// KeyHash returns the number by which a note's signature names a key. Others may
// have the same number: it narrows, and proves nothing.
func KeyHash(name string, public ed25519.PublicKey) uint32 {
	return keyHash(name, algEd25519, public)
}

func keyHash(name string, alg byte, public ed25519.PublicKey) uint32 {
	h := sha256.New()
	h.Write([]byte(name + "\n"))
	h.Write([]byte{alg})
	h.Write(public)
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// verifier is a key of a note.
type verifier struct {
	name   string
	alg    byte
	public ed25519.PublicKey
}

func (v verifier) Name() string    { return v.name }
func (v verifier) KeyHash() uint32 { return keyHash(v.name, v.alg, v.public) }

func (v verifier) Verify(text, sig []byte) bool {
	if v.alg == algEd25519 {
		return ed25519.Verify(v.public, text, sig)
	}
	at, sig, ok := cutTime(sig)
	return ok && ed25519.Verify(v.public, cosigned(at, text), sig)
}

// Verifier returns the verifier of a key that signs the text of a note. The key
// must have been found good: ed25519 itself accepts weak ones.
func Verifier(name string, public ed25519.PublicKey) (note.Verifier, error) {
	return newVerifier(name, algEd25519, public)
}

// Cosigner returns the verifier of a key that signs that it has seen the text of a
// note, and when (C2SP cosignature/v1).
func Cosigner(name string, public ed25519.PublicKey) (note.Verifier, error) {
	return newVerifier(name, algCosignature, public)
}

func newVerifier(name string, alg byte, public ed25519.PublicKey) (note.Verifier, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if len(public) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("key of %d bytes, an Ed25519 key has %d", len(public), ed25519.PublicKeySize)
	}
	return verifier{name, alg, slices.Clone(public)}, nil
}

// ParseVerifier reads the line by which a key is known to others: its name, its
// number in hex, and its kind and bytes in base64, with + between. Both kinds of
// key are taken.
func ParseVerifier(line string) (note.Verifier, error) {
	name, rest, _ := strings.Cut(line, "+")
	number, b64, ok := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.Strict().DecodeString(b64)
	if !ok || err != nil || len(key) != 1+ed25519.PublicKeySize {
		return nil, errors.New("want the key of a note: name+hash+base64 of an Ed25519 key")
	}
	if key[0] != algEd25519 && key[0] != algCosignature {
		return nil, fmt.Errorf("key of a note of kind %d, which is not known here", key[0])
	}
	v, err := newVerifier(name, key[0], key[1:])
	if err != nil {
		return nil, err
	}
	if got := fmt.Sprintf("%08x", v.KeyHash()); got != number {
		return nil, fmt.Errorf("key of a note: its number is %s, not %.20q", got, number)
	}
	return v, nil
}

func checkName(name string) error {
	if name == "" || len(name) > maxOrigin || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '+'
	}) {
		return errors.New("a key of a note needs a name without white space and +")
	}
	return nil
}

// cosigned returns the bytes that a cosignature is over.
func cosigned(at uint64, text []byte) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatUint(at, 10)+"\n"), text...)
}

func cutTime(sig []byte) (at uint64, rest []byte, ok bool) {
	if len(sig) != cosignTimeBytes+ed25519.SignatureSize {
		return 0, nil, false
	}
	return binary.BigEndian.Uint64(sig), sig[cosignTimeBytes:], true
}

// Cosign signs that the text was seen at a time: the signature that Cosigner's
// verifier takes, for a note.Signer to give.
func Cosign(text []byte, at time.Time, sign func(msg []byte) ([]byte, error)) ([]byte, error) {
	seconds := uint64(max(at.Unix(), 0))
	sig, err := sign(cosigned(seconds, text))
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint64(nil, seconds), sig...), nil
}

// A Signature is one line of signature under a note.
type Signature struct {
	Name string
	Hash uint32    // of the key
	At   time.Time // when a cosigner saw the text; zero for other keys
}

// Sign writes the note of a checkpoint: its lines, and a signature of each signer.
func Sign(c Checkpoint, signers ...note.Signer) ([]byte, error) {
	text, err := c.Format()
	if err != nil {
		return nil, err
	}
	raw, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		return nil, fmt.Errorf("sign checkpoint: %w", err)
	}
	return raw, nil
}

// Read reads the note of a checkpoint and believes nothing of it: the signatures
// are those that it bears, not those that hold.
func Read(raw []byte) (Checkpoint, []Signature, error) {
	n, err := open(raw)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := ParseCheckpoint(n.Text)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	return c, signatures(n.UnverifiedSigs, nil), nil
}

// Open reads the note of a checkpoint and gives the signatures of those keys
// among known that hold. The error is ErrNoKnownKey if there is none; a
// signature under a known key that does not hold spoils the note.
func Open(raw []byte, known ...note.Verifier) (Checkpoint, []Signature, error) {
	n, err := open(raw, known...)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := ParseCheckpoint(n.Text)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	if len(n.Sigs) == 0 {
		return Checkpoint{}, nil, ErrNoKnownKey
	}
	return c, signatures(n.Sigs, known), nil
}

// open reads a note strictly: what it gives has one spelling, except that lines
// of signature may be repeated.
func open(raw []byte, known ...note.Verifier) (*note.Note, error) {
	if len(raw) > MaxNote {
		return nil, fmt.Errorf("note of %d bytes, the most is %d", len(raw), MaxNote)
	}
	if err := strictBase64(raw); err != nil {
		return nil, err
	}
	n, err := note.Open(raw, note.VerifierList(known...))
	var none *note.UnverifiedNoteError
	if errors.As(err, &none) {
		return none.Note, nil
	}
	if err != nil {
		return nil, fmt.Errorf("note: %w", err)
	}
	return n, nil
}

// strictBase64 refuses signatures that are spelled in another way than they would
// be written: package note ignores spare bits and carriage returns.
func strictBase64(raw []byte) error {
	split := bytes.LastIndex(raw, []byte("\n\n"))
	if split < 0 {
		return errors.New("note: no signature")
	}
	for l := range bytes.Lines(raw[split+2:]) {
		b64 := bytes.TrimSuffix(l[bytes.LastIndexByte(l, ' ')+1:], []byte("\n"))
		sig, err := base64.StdEncoding.Strict().DecodeString(string(b64))
		if err != nil || base64.StdEncoding.EncodeToString(sig) != string(b64) {
			return errors.New("note: a signature is not base64")
		}
	}
	return nil
}

func signatures(sigs []note.Signature, known []note.Verifier) []Signature {
	out := make([]Signature, len(sigs))
	for i, s := range sigs {
		out[i] = Signature{Name: s.Name, Hash: s.Hash}
		for _, k := range known {
			if v, ours := k.(verifier); ours && v.alg == algCosignature && v.name == s.Name && v.KeyHash() == s.Hash {
				out[i].At = timeOf(s.Base64)
			}
		}
	}
	return out
}

// timeOf returns the time in a cosignature.
func timeOf(b64 string) time.Time {
	b, err := base64.StdEncoding.DecodeString(b64)
	if err != nil || len(b) < keyHashBytes {
		return time.Time{}
	}
	at, _, ok := cutTime(b[keyHashBytes:])
	const last = 253402300799 // of year 9999
	if !ok || at > last {
		return time.Time{}
	}
	return time.Unix(int64(at), 0).UTC()
}
