package atrest

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"

	"github.com/stemma-memory/stemma/internal/live"
)

// How an encrypted store begins: twice the same head, each with its own checksum. A change of the
// passphrase writes one and then the other, so that one of them is whole whenever it ends.
const (
	Magic    = "stemma-encrypted-store 1\n"
	copySize = 4096
	HeadSize = 2 * copySize

	sumSize = 2*sha256.Size + 1 // in hex, with a line's end
	cipher1 = "xchacha20-poly1305"
)

// Who can open a store.
const (
	ByPassphrase = "passphrase"
	ByRecovery   = "recovery"
)

// What is wrong with a head or a secret.
var (
	ErrHead   = errors.New("the head of the encrypted store is damaged")
	ErrSecret = errors.New("it opens another store, or is mistyped")
)

// A Head says how a store is encrypted, and holds its key, wrapped.
type Head struct {
	Name       string `json:"key"`        // of the key
	Generation int    `json:"generation"` // rises with each change
	Cipher     string `json:"cipher"`
	Slots      []Slot `json:"slots"`
}

// A Slot is the key, wrapped for one secret.
type Slot struct {
	By     string `json:"by"`
	KDF    string `json:"kdf"` // hkdf for a secret that we made, scrypt for a person's
	N      int    `json:"n,omitempty"`
	Salt   []byte `json:"salt"`
	Nonce  []byte `json:"nonce"`
	Sealed []byte `json:"sealed"`
}

// The bounds of scrypt: 64 MiB for what we write, and not much more for what others wrote.
const (
	scryptN     = 1 << 16
	scryptMostN = 1 << 18
	scryptR     = 8
	kdfHKDF     = "hkdf-sha256"
	kdfScrypt   = "scrypt"
)

// NewHead returns the head of a store that a passphrase and a recovery key open.
func NewHead(k *Key, passphrase, recovery []byte) (*Head, error) {
	h := &Head{Name: k.name, Generation: 1, Cipher: cipher1}
	for _, s := range []struct {
		by     string
		secret []byte
	}{{ByPassphrase, passphrase}, {ByRecovery, recovery}} {
		if err := h.wrap(k, s.by, s.secret); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// With returns a head in which one secret is another.
func (h *Head) With(k *Key, by string, secret []byte) (*Head, error) {
	out := &Head{Name: h.Name, Generation: h.Generation + 1, Cipher: h.Cipher}
	for _, s := range h.Slots {
		if s.By != by {
			out.Slots = append(out.Slots, s)
		}
	}
	return out, out.wrap(k, by, secret)
}

func (h *Head) wrap(k *Key, by string, secret []byte) error {
	s := Slot{By: by, KDF: kdfScrypt, N: scryptN, Salt: make([]byte, 32), Nonce: make([]byte, chacha20poly1305.NonceSizeX)}
	if Made(secret) {
		s.KDF, s.N = kdfHKDF, 0
	}
	if _, err := rand.Read(s.Salt); err != nil {
		return err
	}
	if _, err := rand.Read(s.Nonce); err != nil {
		return err
	}
	with, err := s.key(secret)
	if err != nil {
		return err
	}
	a, err := chacha20poly1305.NewX(with)
	if err != nil {
		return err
	}
	s.Sealed = a.Seal(nil, s.Nonce, k.whole(), h.about(s))
	h.Slots = append(h.Slots, s)
	return nil
}

// about is what a wrapped key is bound to.
func (h *Head) about(s Slot) []byte {
	return fmt.Appendf(nil, "%s%s\n%s\n%s\n%s\n%d", Magic, h.Cipher, h.Name, s.By, s.KDF, s.N)
}

// key stretches a secret.
func (s *Slot) key(secret []byte) ([]byte, error) {
	switch {
	case s.KDF == kdfHKDF:
		return hkdf.Key(sha256.New, plain(secret), s.Salt, "stemma-at-rest 1 wrap "+s.By, KeySize)
	case s.KDF == kdfScrypt && s.N > 1 && s.N <= scryptMostN && s.N&(s.N-1) == 0:
		return scrypt.Key(secret, s.Salt, s.N, scryptR, 1, KeySize)
	}
	return nil, ErrHead
}

// Unwrap returns the key that a secret opens, and holds it. The error is ErrSecret for another.
func (h *Head) Unwrap(by string, secret []byte) (*Key, error) {
	for _, s := range h.Slots {
		if s.By != by {
			continue
		}
		if s.KDF == kdfHKDF && !Made(secret) {
			return nil, ErrSecret
		}
		with, err := s.key(secret)
		if err != nil {
			return nil, err
		}
		a, err := chacha20poly1305.NewX(with)
		if err != nil {
			return nil, err
		}
		if len(s.Nonce) != a.NonceSize() {
			return nil, ErrHead
		}
		whole, err := a.Open(nil, s.Nonce, s.Sealed, h.about(s))
		if err != nil || len(whole) != KeySize {
			return nil, ErrSecret
		}
		k, err := newKey(h.Name, whole)
		if err == nil {
			Hold(k)
		}
		return k, err
	}
	return nil, ErrHead
}

// bytes is one copy of a head.
func (h *Head) bytes() ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	b := append([]byte(Magic), text...)
	if len(b) > copySize-sumSize {
		return nil, fmt.Errorf("a head of %d bytes is too long", len(b))
	}
	b = append(b, bytes.Repeat([]byte("\n"), copySize-sumSize-len(b))...)
	sum := sha256.Sum256(b)
	return append(append(b, hex.EncodeToString(sum[:])...), '\n'), nil
}

// Bytes is the beginning of a store's file.
func (h *Head) Bytes() ([]byte, error) {
	one, err := h.bytes()
	return append(one, one...), err
}

// Is reports whether a file begins like an encrypted store.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }

// ParseHead reads the beginning of a file: nil for one that is not encrypted.
func ParseHead(b []byte) (*Head, error) {
	var best *Head
	looks := Is(b) || len(b) >= copySize && Is(b[copySize:])
	for at := 0; at+copySize <= len(b); at += copySize {
		one := b[at : at+copySize]
		sum := sha256.Sum256(one[:copySize-sumSize])
		if !Is(one) || string(one[copySize-sumSize:]) != hex.EncodeToString(sum[:])+"\n" {
			continue
		}
		var h Head
		if json.NewDecoder(bytes.NewReader(one[len(Magic):copySize-sumSize])).Decode(&h) != nil || h.Name == "" {
			continue
		}
		if best == nil || h.Generation > best.Generation {
			best = &h
		}
	}
	switch {
	case best == nil && looks:
		return nil, ErrHead
	case best != nil && best.Cipher != cipher1:
		return nil, fmt.Errorf("%w: it names the cipher %q, which this version does not know", ErrHead, best.Cipher)
	}
	return best, nil
}

// ReadHead reads the head of a file: nil for one that is not encrypted. SQLite must not have the
// file open here.
func ReadHead(path string) (h *Head, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	var first [len(Magic)]byte
	n, err := io.ReadFull(f, first[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if bytes.HasPrefix(first[:n], []byte(sqliteMagic)) || n < len(first) {
		return nil, nil // it is as most are: a store that is not encrypted pays for no more
	}
	b := make([]byte, HeadSize)
	n, err = f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if h, err = ParseHead(b[:n]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

// sqliteMagic begins a store that is not encrypted.
const sqliteMagic = "SQLite format 3\x00"

// Rewrite puts another head in place of that of a file, one copy after the other. SQLite may have
// the file open elsewhere: it never looks at its head.
func Rewrite(path string, h *Head) (err error) {
	one, err := h.bytes()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	for _, at := range []int64{copySize, 0} {
		if _, err := f.WriteAt(one, at); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}
