package cli

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/term"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// locks is how the private halves of keys are reached in one run.
type locks struct {
	recovers bool              // the verb is signed with the recovery phrase
	stamps   bool              // the verb looks at timestamps
	roots    string            // file of authorities, as a flag named it
	known    map[string][]byte // passphrases, by the file they unlock
}

// The environment of keys.
const (
	envPassphrase = "STEMMA_PASSPHRASE_FILE"
	envSession    = "STEMMA_KEY_SESSION"
	envAgent      = "SSH_AUTH_SOCK"
)

// unlocking says to an engine where private halves are, and whom timestamps are
// believed.
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

// secretly reports whether a person can be asked for a secret: what is typed must
// not be seen, so it takes a terminal.
func (a *app) secretly() bool { return a.origin() == "owner" }

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
func passphraseFile(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", envPassphrase, err)
	}
	const others = 0o077
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %s is not a file", envPassphrase, name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&others != 0:
		return nil, fmt.Errorf("%s: other users can read %s; run: chmod 600", envPassphrase, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", envPassphrase, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPassphrase+1))
	if err == nil && len(text) > mostPassphrase {
		err = errors.New("the passphrase is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", envPassphrase, name, err)
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

// askSecret asks a person for what no one else shall see.
func (a *app) askSecret(question string) ([]byte, error) {
	if !a.secretly() {
		return nil, api.Invalid("needs a secret: run this yourself at a terminal")
	}
	return a.askHidden(question)
}

// askHidden asks whoever is at the terminal, and shows nothing of the answer.
func (a *app) askHidden(question string) ([]byte, error) {
	in, ok := a.env.Stdin.(*os.File)
	if !ok || !a.terminal() {
		return nil, api.Invalid("needs a secret: run this yourself at a terminal")
	}
	a.hush()
	fmt.Fprint(a.env.Stderr, question)
	text, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(a.env.Stderr)
	if err != nil {
		return nil, fmt.Errorf("read from the terminal: %w", err)
	}
	return text, nil
}

// newPassphrase asks for one that is to be used from now on, twice. An empty one
// is refused unless it may take the passphrase off.
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
