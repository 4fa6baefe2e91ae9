package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/durable"
)

const (
	passphraseKey  = "store.passphrase"
	passphraseName = "store-passphrase" // next to the person's settings

	newPass = ".new"
	oldPass = ".old"
)

// passPlace is the file with the passphrase of encrypted stores.
func (a *app) passPlace() (string, error) {
	set, err := a.settings()
	if err != nil {
		return "", err
	}
	if name := set.Get(passphraseKey); name != "" {
		if name, err = a.expanded(passphraseKey, name); err != nil {
			return "", err
		}
		return a.path(name), nil
	}
	_, user := a.configFiles()
	if user == "" {
		return "", fmt.Errorf("no place for the passphrase file; set STEMMA_STORE_PASSPHRASE_FILE")
	}
	return filepath.Join(filepath.Dir(user), passphraseName), nil
}

// storePass reads the passphrases of encrypted stores: that of today, one that was being made when
// a process was killed, and the one before, which backups have.
func (a *app) storePass(path string) (out [][]byte, err error) {
	name, err := a.passPlace()
	if err != nil {
		return nil, err
	}
	if spec, err := a.storeSpec(); err == nil && a.path(strings.TrimPrefix(spec, "sqlite:")) != path {
		_, _ = a.keyOfStore(a.path(strings.TrimPrefix(spec, "sqlite:"))) // its backups have the same key
	}
	for _, end := range []string{"", newPass, oldPass} {
		pass, err := secretFile(passphraseKey, name+end)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case len(pass) == 0:
			return nil, fmt.Errorf("the passphrase file %s is empty", name+end)
		default:
			out = append(out, pass)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no passphrase file %s; put it back, or set STEMMA_STORE_PASSPHRASE_FILE; with the "+
			"recovery key: stemma store passphrase --recovery", name)
	}
	return out, nil
}

// passToUse returns the passphrase that a store is to be encrypted with: what the file holds, or a
// new one. Of a new one write makes the file.
func (a *app) passToUse() (pass []byte, name string, write func() error, err error) {
	if name, err = a.passPlace(); err != nil {
		return nil, "", nil, err
	}
	if _, err := os.Lstat(name); err == nil {
		pass, err := secretFile(passphraseKey, name)
		if err == nil && len(pass) < atrest.LeastPassphrase {
			err = api.Invalid("%s: a passphrase needs %d bytes or more; this one has %d", name, atrest.LeastPassphrase,
				len(pass))
		}
		return pass, name, func() error { return nil }, err
	}
	text, err := atrest.NewPassphrase()
	return []byte(text), name, func() error { return writeSecret(name, text) }, err
}

// writeSecret makes a file that only the person can read, and returns when it is on the disk.
func writeSecret(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return api.Invalid("%s exists already; name another file", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return durable.Names(filepath.Dir(name))
}
