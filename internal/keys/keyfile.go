package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/crypto/ssh"
)

// parseKey reads a key file, locked if there is a passphrase. The error is ErrLocked
// if it wants one, ErrPassphrase if it wants another.
func parseKey(b, passphrase []byte) (*Key, error) {
	parsed, err := parsePrivate(b, passphrase)
	if err != nil {
		return nil, err
	}
	private, ok := parsed.(*ed25519.PrivateKey)
	if !ok {
		return nil, errOtherType
	}
	key, err := FromSeed(private.Seed())
	if err != nil {
		return nil, err
	}
	// The file says both halves, and its reader does not compare them. A damaged
	// seed would sign as somebody else; a forged public half would, signing, give
	// the private one away.
	if !bytes.Equal(*private, key.private()) {
		return nil, errors.New("it is damaged, restore it from a backup: the public half is not the private half's")
	}
	return key, nil
}

// parseKnown is parseKey for a key that may never sign: its halves are compared when it does.
func parseKnown(b, passphrase []byte) (*Key, error) {
	parsed, err := parsePrivate(b, passphrase)
	if err != nil {
		return nil, err
	}
	private, ok := parsed.(*ed25519.PrivateKey)
	if !ok || len(*private) != ed25519.PrivateKeySize {
		return parseKey(b, passphrase)
	}
	whole := sync.OnceValues(func() (*Key, error) { return parseKey(b, passphrase) })
	return &Key{
		did: encodeDID([ed25519.PublicKeySize]byte((*private)[ed25519.SeedSize:])),
		sign: func(message []byte) ([]byte, error) {
			key, err := whole()
			if err != nil {
				return nil, err
			}
			return key.sign(message)
		},
		private: func() ed25519.PrivateKey { return *private },
		place:   AtHand,
	}, nil
}

var errOtherType = errors.New("its key is of another type than Ed25519")

func parsePrivate(b, passphrase []byte) (any, error) {
	var parsed any
	var err error
	if len(passphrase) > 0 {
		parsed, err = ssh.ParseRawPrivateKeyWithPassphrase(b, passphrase)
	} else {
		parsed, err = ssh.ParseRawPrivateKey(b)
	}
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, ErrLocked
	case errors.Is(err, x509.IncorrectPasswordError):
		return nil, ErrPassphrase
	case err != nil:
		return nil, fmt.Errorf("it is damaged, restore it from a backup: %w", err)
	}
	return parsed, nil
}

func writeKey(dir, name string, key *Key) error {
	private, err := encodeKey(key, commentOf(name), nil)
	if err != nil {
		return err
	}
	public, err := encodePublic(key.did, commentOf(name))
	if err != nil {
		return err
	}
	if err := writeFile(dir, name, private); err != nil {
		return err
	}
	return writeFile(dir, name+pubSuffix, public)
}

func commentOf(name string) string { return "stemma " + name }

// encodeKey writes an OpenSSH private key file, locked if there is a passphrase. The
// private half of key must be at hand.
func encodeKey(key *Key, comment string, passphrase []byte) ([]byte, error) {
	var block *pem.Block
	var err error
	if len(passphrase) > 0 {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(key.private(), comment, passphrase)
	} else {
		block, err = ssh.MarshalPrivateKey(key.private(), comment)
	}
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(block), nil
}
