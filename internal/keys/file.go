package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	return checkedDir(name, before, func() (*os.Root, error) { return os.OpenRoot(name) })
}

// sub opens a directory in d.
func (d *keyDir) sub(name string) (*keyDir, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	return checkedDir(d.path(name), before, func() (*os.Root, error) { return d.root.OpenRoot(name) })
}

func checkedDir(name string, before fs.FileInfo, open func() (*os.Root, error)) (*keyDir, error) {
	if err := checkMode(name, before, fs.ModeDir|dirMode); err != nil {
		return nil, err
	}
	root, err := open()
	if err != nil {
		return nil, err
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s %w", name, errChanged)
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
	return !slices.ContainsFunc([]string{ownerFile, ownerFile + pubSuffix, agentFile, identityFile}, d.has)
}

func (d *keyDir) has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// errChanged says that a file was another one once it was open.
var errChanged = errors.New("changed while it was opened")

// read reads a file that has been checked. One that is just being replaced is looked
// at again: every time, what is read is what was checked.
func (d *keyDir) read(name string, most int64) ([]byte, error) {
	const tries = 10
	for n := 1; ; n++ {
		b, err := d.readOnce(name, most)
		if n == tries || !errors.Is(err, errChanged) {
			return b, err
		}
	}
}

func (d *keyDir) readOnce(name string, most int64) ([]byte, error) {
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
		return nil, fmt.Errorf("%s %w", d.path(name), errChanged)
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
		return fmt.Errorf("%s (mode %s) is not a %s, and links are not followed: put the %s itself in its place, "+
			"after: mv %s %s",
			name, mode, what, what, quote(name), quote(name+".old"))
	}
	return checkAccess(name, info, want.Perm())
}

// readPublic reads a .pub file.
func (d *keyDir) readPublic(name string) (did string, err error) {
	b, err := d.read(name, maxKeyFile)
	if err != nil {
		return "", err
	}
	did, _, err = PublicOf(b)
	if err != nil {
		return "", fmt.Errorf("%s is not a usable public key: %w", d.path(name), err)
	}
	return did, nil
}
