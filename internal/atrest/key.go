// Package atrest keeps words encrypted where they lie: the head of an encrypted store, which holds
// its key wrapped twice, and lines and small files that are sealed with that key.
//
// A key once unwrapped stays in this process, as SQLite's files do: whatever opens a store, a
// backup of it or a line of its receipts finds it by its name.
package atrest

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"sync"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/stemma-memory/stemma/internal/live"
)

// KeySize is the length of a key in bytes.
const KeySize = chacha20poly1305.KeySize

// A Key encrypts one store, its copies and what lies around it. It is safe for concurrent use, and
// prints as its name.
type Key struct {
	name  string
	whole func() []byte // a func, so that nothing which walks values prints it
	lines cipher.AEAD
}

// NewKey makes a key.
func NewKey() (*Key, error) {
	var name [16]byte
	whole := make([]byte, KeySize)
	if _, err := rand.Read(name[:]); err != nil {
		return nil, err
	}
	if _, err := rand.Read(whole); err != nil {
		return nil, err
	}
	return newKey(hex.EncodeToString(name[:]), whole)
}

func newKey(name string, whole []byte) (*Key, error) {
	k := &Key{name: name, whole: func() []byte { return whole }}
	sub, err := k.Sub("lines", KeySize)
	if err != nil {
		return nil, err
	}
	k.lines, err = chacha20poly1305.NewX(sub)
	return k, err
}

// Name names the key without saying it.
func (k *Key) Name() string { return k.name }

// String is Name.
func (k *Key) String() string { return k.name }

// Sub derives the key for one purpose.
func (k *Key) Sub(purpose string, size int) ([]byte, error) {
	return hkdf.Key(sha256.New, k.whole(), nil, "stemma-at-rest 1 "+purpose, size)
}

var (
	mu   sync.Mutex
	held = make(map[string]*Key) // by name
	open []opened                // of files that SQLite has open here, whose head is not read again
)

type opened struct {
	info os.FileInfo
	key  *Key
}

// Hold keeps a key for this process.
func Hold(k *Key) {
	mu.Lock()
	defer mu.Unlock()
	held[k.name] = k
}

// Held returns a key by its name, nil for none.
func Held(name string) *Key {
	mu.Lock()
	defer mu.Unlock()
	return held[name]
}

// LockedError says that a file is encrypted with a key that this process does not hold.
type LockedError struct{ Path string }

func (e *LockedError) Error() string {
	return e.Path + " is encrypted, and its passphrase was not given"
}

// KeyOf returns the key of a store's file, nil for one that is not encrypted or not there. The
// error is a LockedError for a key that is not held, and ErrHead for a head that cannot be read.
func KeyOf(path string) (*Key, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil // the next to open it says so
	}
	if live.Has(info) { // closing it here would drop SQLite's locks
		mu.Lock()
		defer mu.Unlock()
		for _, o := range open {
			if os.SameFile(o.info, info) {
				return o.key, nil
			}
		}
		return nil, nil
	}
	h, err := ReadHead(path)
	if h == nil || err != nil {
		return nil, err
	}
	if k := Held(h.Name); k != nil {
		return k, nil
	}
	return nil, &LockedError{path}
}

// OpenedWith returns the key of a file that SQLite has open here, nil for none.
func OpenedWith(path string) *Key {
	mu.Lock()
	none := len(open) == 0
	mu.Unlock()
	if none {
		return nil
	}
	key, _ := KeyOf(path) // one that is open has a key that is held, or none
	return key
}

// Opened notes the key of a file that SQLite opens here, before it does. Each file is noted once.
func Opened(path string, k *Key) error {
	mu.Lock()
	none := k == nil && len(open) == 0
	mu.Unlock()
	if none {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	mu.Lock()
	defer mu.Unlock()
	for i, o := range open {
		if os.SameFile(o.info, info) {
			if k == nil {
				open = append(open[:i], open[i+1:]...)
			} else {
				open[i].key = k
			}
			return nil
		}
	}
	if k != nil {
		open = append(open, opened{info, k})
	}
	return nil
}
