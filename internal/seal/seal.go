// Package seal marks what this person's programs wrote down for themselves, with a
// secret that lies in the person's data directory and in no store: who can write
// into a store, or unpack one, cannot make such a mark.
package seal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/durable"
)

// Size is the length of a mark in bytes.
const Size = sha256.Size

const (
	file     = "seal" // in the data directory
	keySize  = 32
	dirMode  = 0o700
	fileMode = 0o600
)

// A Seal makes marks and knows its own again. It is safe for concurrent use.
type Seal struct{ key [keySize]byte }

// Load reads the secret of a data directory. The error is fs.ErrNotExist where
// there is none. A file that others may read, or that is no regular file, is
// refused.
func Load(dir string) (*Seal, error) {
	path := filepath.Join(dir, file)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	if tooWide(info) {
		return nil, fmt.Errorf("%s can be read by others: chmod 600 it", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(raw) != keySize {
		return nil, fmt.Errorf("%s has %d bytes, want %d: remove it, and adopt your stores again", path, len(raw), keySize)
	}
	return &Seal{[keySize]byte(raw)}, nil
}

// Open is Load, and makes the secret with its directory where there is none. Of
// several programs that do so at once, all get the same.
func Open(dir string) (*Seal, error) {
	s, err := Load(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, err
	}
	var key [keySize]byte
	if _, err := io.ReadFull(rand.Reader, key[:]); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(dir, "."+file+"-*") // with mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(key[:])
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return nil, err
	}
	// a link fails where the name is taken, a rename would not
	if err := os.Link(tmp.Name(), filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := durable.Names(dir); err != nil {
		return nil, err
	}
	return Load(dir)
}

// Mark is the mark of some parts for one purpose. Parts are told apart: "ab", "c"
// has another mark than "a", "bc".
func (s *Seal) Mark(purpose string, parts ...[]byte) [Size]byte {
	h := hmac.New(sha256.New, s.key[:])
	write := func(part []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	write([]byte(purpose))
	for _, p := range parts {
		write(p)
	}
	return [Size]byte(h.Sum(nil))
}

// Is reports whether a mark, or the beginning of one of at least 16 bytes, is that
// of some parts for one purpose.
func (s *Seal) Is(mark []byte, purpose string, parts ...[]byte) bool {
	const least = 16
	if len(mark) < least || len(mark) > Size {
		return false
	}
	want := s.Mark(purpose, parts...)
	return hmac.Equal(mark, want[:len(mark)])
}
