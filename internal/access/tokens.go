package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/stemma-memory/stemma/internal/durable"
)

// Tokens are the secrets that a server on this machine knows its callers by.
type Tokens struct {
	Agent string // for agents and programs
	Owner string // for the person: what they say is said by the owner of the memory
}

// The files of a server's directory, readable by the account alone.
const (
	agentFile = "token"
	ownerFile = "owner.token"
)

// The beginnings of tokens, so that people and scanners of secrets know one.
const (
	agentPrefix = "stemma-agent-"
	ownerPrefix = "stemma-owner-"
)

// randomBytes is what no one guesses.
const randomBytes = 32

// Keep returns the tokens of a directory. It makes the directory and the tokens
// that are not there; several processes may at once, and all get the same.
func Keep(dir string) (Tokens, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Tokens{}, fmt.Errorf("tokens: %w", err)
	}
	if err := ownersOnly(dir); err != nil {
		return Tokens{}, err
	}
	agent, err := keepToken(filepath.Join(dir, agentFile), agentPrefix)
	if err != nil {
		return Tokens{}, err
	}
	owner, err := keepToken(filepath.Join(dir, ownerFile), ownerPrefix)
	return Tokens{Agent: agent, Owner: owner}, err
}

// KeepOne returns the token of a file of its owner alone, made on first use.
func KeepOne(path, prefix string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return keepToken(path, prefix)
}

// keepToken reads a token, or makes one whole: a reader never sees half of it.
func keepToken(path, prefix string) (string, error) {
	token, err := readToken(path, prefix)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // made 0600
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(prefix + randomText() + "\n")
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	// A link fails where somebody was faster; a rename would take their token away.
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	if err := durable.Names(filepath.Dir(path)); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return readToken(path, prefix)
}

func readToken(path, prefix string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if err := ownersOnly(path); err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	random, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, prefix))
	if err != nil || !strings.HasPrefix(token, prefix) || len(random) != randomBytes {
		return "", fmt.Errorf("token: %s contains no token; remove it, and the next start makes another", path)
	}
	return token, nil
}

// ownersOnly refuses what other accounts of the machine can read.
func ownersOnly(path string) error {
	const others = 0o077
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&others != 0 {
		return fmt.Errorf(
			"token: others can read %s: take that from them (chmod go= %s), and remove the tokens in case they did",
			path, path,
		)
	}
	return nil
}

// randomText is a secret to be written in headers and addresses.
func randomText() string {
	b := make([]byte, randomBytes)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// same compares secrets in a time that tells nothing of where they differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return a != "" && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
