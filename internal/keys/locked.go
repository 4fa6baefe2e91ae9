package keys

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/crypto/ssh"
)

var (
	// ErrLocked says that a key is locked with a passphrase which no one gave.
	ErrLocked = errors.New("locked with a passphrase")
	// ErrPassphrase says that a passphrase is not the key's.
	ErrPassphrase = errors.New("wrong passphrase")
)

// Options say where private halves are that are not in plain files. The zero value
// reaches none of them: their keys have a name and cannot sign.
type Options struct {
	// Unlock returns the passphrase of the key file at path. It is asked when the key
	// signs, not when it is loaded, until a passphrase was right; by one goroutine
	// at a time for each key. The bytes it returns are overwritten after use.
	Unlock func(path string) ([]byte, error)
	// AgentSocket is the unix socket of an ssh-agent. It signs for an owner whose
	// private file is not there while owner.pub is.
	AgentSocket string
	// Known says that it is asked whose keys there are, and hardly anything will be signed: that
	// the public half of a file is the private half's is checked when the key signs.
	Known bool
}

// lockedKey makes the key of a file that is locked. An OpenSSH file shows its public
// half in clear; that it is the private half's is checked when it is unlocked.
func lockedKey(path string, file []byte, unlock func(path string) ([]byte, error)) (*Key, error) {
	_, err := ssh.ParseRawPrivateKey(file)
	var missing *ssh.PassphraseMissingError
	if !errors.As(err, &missing) || missing.PublicKey == nil {
		return nil, errors.New("it is locked in a format that hides the public half: rewrite it with ssh-keygen -p")
	}
	public, ok := edwardsKey(missing.PublicKey)
	if !ok {
		return nil, errOtherType
	}
	did := encodeDID(public)
	if _, err := parseDID(did); err != nil {
		return nil, err
	}
	l := &locked{path: path, file: file, did: did, unlock: unlock}
	return &Key{did: did, sign: l.sign, place: Locked, lend: l.lend}, nil
}

func edwardsKey(key ssh.PublicKey) (public publicKey, ok bool) {
	crypto, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return public, false
	}
	plain, ok := crypto.CryptoPublicKey().(ed25519.PublicKey)
	if !ok || len(plain) != len(public) {
		return public, false
	}
	return publicKey(plain), true
}

type locked struct {
	path   string
	file   []byte
	did    string
	unlock func(path string) ([]byte, error)

	mu   sync.Mutex
	open *Key // nil until it was unlocked
	lent *Key // unlocked for as long as somebody holds it
	held int  // how many do
}

func (l *locked) sign(message []byte) ([]byte, error) {
	key, err := l.key()
	if err != nil {
		return nil, err
	}
	return key.sign(message)
}

// key asks under the lock, so that who signs twice at once is asked once. A refusal
// is not remembered: the next signature asks again.
func (l *locked) key() (*Key, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open != nil {
		return l.open, nil
	}
	if l.lent != nil {
		return l.lent, nil
	}
	if l.unlock == nil {
		return nil, fmt.Errorf(
			"%s is %w, and there is no terminal to ask for the passphrase: run this at a terminal", l.path, ErrLocked,
		)
	}
	passphrase, err := l.unlock(l.path)
	defer clear(passphrase)
	if err != nil {
		return nil, fmt.Errorf("unlock %s: %w", l.path, err)
	}
	key, err := l.try(passphrase)
	if err != nil {
		return nil, err
	}
	l.open, l.unlock = key, nil
	return key, nil
}

// lend unlocks the key until lock is called.
func (l *locked) lend(passphrase []byte) (lock func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key, err := l.try(passphrase)
	if err != nil {
		return nil, err
	}
	l.lent = key
	l.held++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.held--; l.held == 0 {
			l.lent = nil
		}
	}), nil
}

func (l *locked) try(passphrase []byte) (*Key, error) {
	key, err := parseKey(l.file, passphrase)
	switch {
	case errors.Is(err, ErrLocked): // an empty one
		return nil, fmt.Errorf("unlock %s: %w: type it again", l.path, ErrPassphrase)
	case errors.Is(err, ErrPassphrase):
		return nil, fmt.Errorf("unlock %s: %w: type it again", l.path, err)
	case err != nil:
		return nil, fmt.Errorf("unlock %s: %w", l.path, err)
	case key.did != l.did:
		return nil, fmt.Errorf(
			"unlock %s: it is damaged, restore it from a backup: it shows the public half of another key",
			l.path,
		)
	}
	return key, nil
}
