package keys

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A recovery phrase is "stemma-recovery-" and 56 digits of base 32 (RFC 4648, in lower
// case: no 0, 1, 8, 9 to take for letters) in groups of four. They are the 32 bytes of
// the seed and a CRC of 24 bits, so any four neighbouring digits may be wrong, or two
// swapped, and it is noticed for certain.
const (
	recoveryPrefix = "stemma-recovery-"
	recoveryDigits = 56
	recoveryGroup  = 4

	maxPhrase = 512 // bytes, with all the spaces somebody may type
)

var recoveryBase = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewRecovery makes a key of 32 bytes from rand that is nowhere but in its phrase,
// which is shown to the person once. Commitment of its did goes into the record that
// commits to it.
func NewRecovery(rand io.Reader) (phrase, did string, err error) {
	key, err := Generate(rand)
	if err != nil {
		return "", "", err
	}
	return phraseOf(key.private().Seed()), key.did, nil
}

func phraseOf(seed []byte) string {
	sum := crc24(seed)
	digits := recoveryBase.EncodeToString(append(seed[:len(seed):len(seed)], byte(sum>>16), byte(sum>>8), byte(sum)))
	var groups []string
	for ; digits != ""; digits = digits[recoveryGroup:] {
		groups = append(groups, digits[:recoveryGroup])
	}
	return recoveryPrefix + strings.Join(groups, "-")
}

// ParseRecovery makes the key of a recovery phrase. Spaces, line ends, dashes and the
// case of letters do not matter; anything else that was typed differently is an error.
// No error shows any of it.
func ParseRecovery(phrase string) (*Key, error) {
	if len(phrase) > maxPhrase {
		return nil, fmt.Errorf("recovery phrase of %d bytes exceeds %d", len(phrase), maxPhrase)
	}
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n-", r) {
			return -1
		}
		if 'A' <= r && r <= 'Z' { // not ToLower, to which a Kelvin sign is a k
			return r - 'A' + 'a'
		}
		return r
	}, phrase)
	if prefix := strings.ReplaceAll(recoveryPrefix, "-", ""); len(digits) == len(prefix)+recoveryDigits {
		digits, _ = strings.CutPrefix(digits, prefix)
	}
	if len(digits) != recoveryDigits {
		return nil, fmt.Errorf(
			"recovery phrase: %d characters after %s, want %d", len(digits), recoveryPrefix, recoveryDigits,
		)
	}
	b, err := recoveryBase.DecodeString(digits)
	if err != nil {
		return nil, errors.New(
			"recovery phrase: it has only the letters a to z and the digits 2 to 7: compare it with what was written down",
		)
	}
	seed, sum := b[:ed25519.SeedSize], b[ed25519.SeedSize:]
	if crc24(seed) != uint32(sum[0])<<16|uint32(sum[1])<<8|uint32(sum[2]) {
		return nil, errors.New("recovery phrase: a character is wrong: compare it with your note")
	}
	key, err := FromSeed(seed)
	clear(b)
	return key, err
}

// Commitment returns what commits to a recovery key without naming it: the SHA-256 of
// its did:key, in hex.
func Commitment(did string) string {
	sum := sha256.Sum256([]byte(did))
	return hex.EncodeToString(sum[:])
}

// crc24 is the checksum of OpenPGP (RFC 9580, section 6.1).
func crc24(b []byte) uint32 {
	const start, polynomial, top = 0xb704ce, 0x864cfb, 1 << 24
	sum := uint32(start)
	for _, c := range b {
		sum ^= uint32(c) << 16
		for range 8 {
			sum <<= 1
			if sum&top != 0 {
				sum ^= top | polynomial
			}
		}
	}
	return sum
}
