package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"
)

// keyDir is a directory that has been checked and is read through the handle that
// was: swapping it for another one after the check changes nothing.
type keyDir struct {
	name string
	root *os.Root
}

func openDir(name string) (*keyDir, error) {
	before, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := checkMode(name, before, fs.ModeDir|dirMode); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s changed while it was opened", name)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &keyDir{name: name, root: root}, nil
}

func (d *keyDir) path(name string) string { return filepath.Join(d.name, name) }

// empty reports that no file of a ring is there. Other files do not count: they are
// what the directory is refused for when a ring is made, not when one is looked for.
func (d *keyDir) empty() bool {
	for _, name := range []string{ownerFile, agentFile, identityFile} {
		if _, err := d.root.Lstat(name); err == nil {
			return false
		}
	}
	return true
}

func (d *keyDir) read(name string, most int64) ([]byte, error) {
	before, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", d.path(name), fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	if err := checkMode(d.path(name), before, fileMode); err != nil {
		return nil, err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	after, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, after) {
		return nil, fmt.Errorf("%s changed while it was opened", d.path(name))
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", d.path(name), err)
	}
	if int64(len(b)) > most {
		return nil, fmt.Errorf("%s exceeds %d bytes", d.path(name), most)
	}
	return b, nil
}

func (d *keyDir) readKey(name string, o Options) (*Key, error) {
	b, err := d.read(name, maxKeyFile)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(b, nil)
	if errors.Is(err, ErrLocked) {
		key, err = lockedKey(d.path(name), b, o.Unlock)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a usable key file: %w", d.path(name), err)
	}
	return key, nil
}

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

var errOtherType = errors.New("it holds another type of key than Ed25519")

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
	comment := "stemma " + name
	block, err := ssh.MarshalPrivateKey(key.private(), comment)
	if err != nil {
		return err
	}
	public, err := ssh.NewPublicKey(key.private().Public())
	if err != nil {
		return err
	}
	line := strings.TrimSuffix(string(ssh.MarshalAuthorizedKey(public)), "\n") + " " + comment + "\n"
	if err := writeFile(dir, name, pem.EncodeToMemory(block)); err != nil {
		return err
	}
	return writeFile(dir, name+pubSuffix, []byte(line))
}

// writeFile makes a new file, and returns when it is on disk.
func writeFile(dir, name string, b []byte) (err error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Chmod(fileMode); err != nil { // whatever the umask took
		return err
	}
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

// checkMode refuses what is not of the type and the permissions of want, and says
// what mends it.
func checkMode(name string, info fs.FileInfo, want fs.FileMode) error {
	mode := info.Mode()
	what := "regular file"
	if want.IsDir() {
		what = "directory"
	}
	if mode.Type() != want.Type() {
		return fmt.Errorf("%s (mode %s) is not a %s, and links are not followed: put the %s itself in its place, after: mv %s %s",
			name, mode, what, what, quote(name), quote(name+".old"))
	}
	return checkAccess(name, info, want.Perm())
}

// quote makes a path one word of a shell's command.
func quote(path string) string {
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
