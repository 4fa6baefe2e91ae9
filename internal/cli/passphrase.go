package cli

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// The environment of keys.
const (
	envPassphrase = "STEMMA_PASSPHRASE_FILE"
	envSession    = "STEMMA_KEY_SESSION"
	envAgent      = "SSH_AUTH_SOCK"
)

// unlocking tells an engine where private keys are, and which timestamp authorities to trust.
func (a *app) unlocking(c *engine.Config) error {
	c.Unlock, c.AgentSocket, c.KeySession = a.unlock, a.env.Getenv(envAgent), a.env.Getenv(envSession)
	if a.secretly() {
		c.NewPassphrase = func() ([]byte, error) { return a.newPassphrase(false) }
	}
	if a.locks.recovers {
		c.Recovery = func() (string, error) {
			phrase, err := a.askSecret("recovery phrase: ")
			return string(phrase), err
		}
	}
	if !a.locks.stamps {
		return nil
	}
	set, err := a.settings()
	if err != nil {
		return err
	}
	name := or(a.locks.roots, set.Get("timestamp.roots"))
	if name == "" {
		return nil
	}
	if name, err = a.expanded("timestamp.roots", name); err != nil {
		return err
	}
	c.TimestampRoots, err = a.authorities(name)
	return err
}

// mostRoots is more than a file of authorities holds, in bytes.
const mostRoots = 4 << 20

// authorities reads those that are trusted for timestamps.
func (a *app) authorities(name string) (*x509.CertPool, error) {
	text, err := a.readFile(name, mostRoots)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(text)) {
		return nil, api.Invalid("%s: contains no certificate; timestamp authorities must be PEM", name)
	}
	return pool, nil
}

// unlock returns the passphrase of a key file: what a person types, asked once in a
// run, or what a file holds.
func (a *app) unlock(path string) ([]byte, error) {
	if known, ok := a.locks.known[path]; ok {
		return bytes.Clone(known), nil
	}
	var pass []byte
	var err error
	switch file := a.env.Getenv(envPassphrase); {
	case a.secretly():
		pass, err = a.askSecret("passphrase of " + clean(path) + ": ")
	case file != "":
		pass, err = passphraseFile(file)
	default:
		err = fmt.Errorf("no terminal to ask for it; run this at a terminal, or set %s to a file that contains it",
			envPassphrase)
	}
	if err != nil {
		return nil, err
	}
	a.remember(path, pass)
	return pass, nil
}

// mostPassphrase is longer than anything a person types.
const mostPassphrase = 4096

// passphraseFile reads a passphrase from a file that only its owner can read.
func passphraseFile(name string) ([]byte, error) { return secretFile(envPassphrase, name) }

// secretFile is passphraseFile for one that from names.
func secretFile(from, name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	const others = 0o077
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %s is not a file", from, name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&others != 0:
		return nil, fmt.Errorf("%s: other users can read %s; run: chmod 600", from, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPassphrase+1))
	if err == nil && len(text) > mostPassphrase {
		err = errors.New("the passphrase is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", from, name, err)
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

// newPassphrase asks twice for a new passphrase. An empty one is refused unless it may remove
// the passphrase.
func (a *app) newPassphrase(empty bool) ([]byte, error) {
	first, err := a.askSecret("new passphrase: ")
	if err != nil {
		return nil, err
	}
	if len(first) == 0 && !empty {
		return nil, api.Invalid("the new key needs a passphrase, because the old one had one")
	}
	again, err := a.askSecret("repeat it: ")
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(first, again) {
		return nil, api.Invalid("the two do not match; nothing was changed")
	}
	return first, nil
}

// remember keeps a passphrase for the rest of this run.
func (a *app) remember(path string, pass []byte) {
	if a.locks.known == nil {
		a.locks.known = make(map[string][]byte)
	}
	a.locks.known[path] = bytes.Clone(pass)
}
