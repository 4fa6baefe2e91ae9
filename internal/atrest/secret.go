package atrest

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"strings"
)

// A secret that we make is one of these words and 56 digits of base 32 in groups of four: 32 bytes
// from the system's random numbers, and three of their SHA-256, by which a mistyped one is noticed.
const (
	passphrasePrefix = "stemma-store-passphrase-"
	recoveryPrefix   = "stemma-store-recovery-"

	secretBytes = 32
	checkBytes  = 3
	digits      = 56
	group       = 4

	// LeastPassphrase is how many bytes a passphrase of a person's own needs.
	LeastPassphrase = 12
)

var base = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewPassphrase makes what a passphrase file holds.
func NewPassphrase() (string, error) { return newSecret(passphrasePrefix) }

// NewRecovery makes a recovery key, which is shown to a person once and is nowhere else.
func NewRecovery() (string, error) { return newSecret(recoveryPrefix) }

func newSecret(prefix string) (string, error) {
	b := make([]byte, secretBytes)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(prefix), b...))
	text := base.EncodeToString(append(b, sum[:checkBytes]...))
	var groups []string
	for ; text != ""; text = text[group:] {
		groups = append(groups, text[:group])
	}
	return prefix + strings.Join(groups, "-"), nil
}

// Made reports whether a secret is one that we made, typed without a mistake: it has 256 random
// bits and needs no stretching.
func Made(secret []byte) bool { return plain(secret) != nil }

// plain returns the random bytes of a secret that we made, nil of others.
func plain(secret []byte) []byte {
	for _, prefix := range []string{passphrasePrefix, recoveryPrefix} {
		if b := parse(string(secret), prefix); b != nil {
			return b
		}
	}
	return nil
}

func parse(text, prefix string) []byte {
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(" \t\r\n-", r):
			return -1
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, text)
	text, _ = strings.CutPrefix(text, strings.ReplaceAll(prefix, "-", ""))
	if len(text) != digits {
		return nil
	}
	b, err := base.DecodeString(text)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(append([]byte(prefix), b[:secretBytes]...))
	if !bytes.Equal(b[secretBytes:], sum[:checkBytes]) {
		return nil
	}
	return b[:secretBytes]
}

// ParseRecovery checks what was typed as a recovery key. Spaces, dashes and the case of letters do
// not matter. No error shows any of it.
func ParseRecovery(text string) ([]byte, error) {
	if b := parse(text, recoveryPrefix); b == nil {
		return nil, errors.New("this is no recovery key of a store, or a character is wrong: compare it with your note")
	}
	return []byte(strings.TrimSpace(text)), nil
}

// Same reports whether two secrets that we made are one.
func Same(a, b []byte) bool {
	x, y := plain(a), plain(b)
	return x != nil && y != nil && subtle.ConstantTimeCompare(x, y) == 1
}
