package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// change runs f on the ring in dir while no one else changes it.
func change(dir string, f func(d *keyDir) error) (err error) {
	d, err := openDir(dir)
	if err != nil {
		return fmt.Errorf("change keys: %w", err)
	}
	defer d.root.Close()
	self, err := d.root.Open(".")
	if err != nil {
		return fmt.Errorf("change keys: %w", err)
	}
	defer self.Close() // which lets the lock go
	if err := lock(self); err != nil {
		return fmt.Errorf("change keys: lock %s: %w", dir, err)
	}
	return f(d)
}

// replace puts a file in place in one step, and returns when it is on disk: whoever
// reads finds the old one or the new one, whole. No one else may be changing d.
func (d *keyDir) replace(name string, b []byte) (err error) {
	temp := "." + name + ".new"
	if err := d.root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) { // of one that was killed
		return err
	}
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(f, b), f.Close()); err != nil {
		return errors.Join(err, d.root.Remove(temp))
	}
	if err := d.root.Rename(temp, name); err != nil {
		return errors.Join(err, d.root.Remove(temp))
	}
	return syncDir(d.name)
}

func fill(f *os.File, b []byte) error {
	if err := f.Chmod(fileMode); err != nil { // whatever the umask took
		return err
	}
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

func (d *keyDir) rename(from, to string) error {
	if err := d.root.Rename(from, to); err != nil {
		return err
	}
	return syncDir(d.name)
}

// remove takes files away that may not be there, one after the other.
func (d *keyDir) remove(names ...string) error {
	for _, name := range names {
		if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncDir(d.name)
}

// PutIdentity puts lines in place of the ring's identity file, in one step. They must
// begin with all that is in it: what was said of keys is never unsaid, and of two who
// add at once the later is refused, and loads again.
func PutIdentity(dir string, lines []byte) error {
	return change(dir, func(d *keyDir) error { return d.putIdentity(lines) })
}

func (d *keyDir) putIdentity(lines []byte) error {
	if len(lines) > maxIdentityFile {
		return fmt.Errorf("identity of %d bytes exceeds %d", len(lines), maxIdentityFile)
	}
	old, err := d.read(identityFile, maxIdentityFile)
	if err != nil {
		return fmt.Errorf("put identity: %w", err)
	}
	if bytes.Equal(old, lines) {
		return nil
	}
	if !bytes.HasPrefix(lines, old) {
		return fmt.Errorf(
			"put identity: %w: %s has lines that are not in the new one: load it again", ErrOvertaken,
			d.path(identityFile),
		)
	}
	if err := d.replace(identityFile, lines); err != nil {
		return fmt.Errorf("put identity: %w", err)
	}
	return nil
}

// SetPassphrase locks the key file of that name, owner or agent or an old one of
// them, with another passphrase; old is empty for one that is not locked, and a new
// one that is empty unlocks it. The file is replaced in one step. What the disk keeps
// of the file that was there is not wiped.
func SetPassphrase(dir, name string, old, new []byte) error {
	if !isKeyFile(name) {
		return fmt.Errorf("set passphrase: no key is called %s", shorten(name))
	}
	return change(dir, func(d *keyDir) error {
		if err := d.setPassphrase(name, old, new); err != nil {
			return fmt.Errorf("set passphrase of %s: %w", d.path(name), err)
		}
		return nil
	})
}

func (d *keyDir) setPassphrase(name string, old, new []byte) error {
	b, err := d.read(name, maxKeyFile)
	if err != nil {
		return err
	}
	key, err := parseKey(b, nil)
	switch {
	case err == nil && len(old) > 0:
		return errors.New("it has none: leave the old one empty")
	case errors.Is(err, ErrLocked) && len(old) > 0:
		key, err = parseKey(b, old)
	}
	switch {
	case errors.Is(err, ErrPassphrase):
		return fmt.Errorf("%w: type it again", err)
	case errors.Is(err, ErrLocked):
		return fmt.Errorf("it is %w: type the old one", err)
	case err != nil:
		return err
	}
	if b, err = encodeKey(key, commentOf(name), new); err != nil {
		return err
	}
	// The old file goes only for one that is the same key.
	if again, err := parseKey(b, new); err != nil || again.did != key.did {
		return fmt.Errorf("the new file cannot be read: %w", err)
	}
	return d.replace(name, b)
}
