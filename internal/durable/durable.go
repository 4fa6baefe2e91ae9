// Package durable makes names of files outlive a power cut, for every room that writes
// files. A file that was synced and then renamed is whole under its old name or its new
// one; which, the directory says, and it has a sync of its own.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/stemma-memory/stemma/internal/live"
)

// Names returns when the names in a directory are on the disk. Windows writes them down
// by itself.
func Names(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Rename renames a file that was synced, and returns when that is on the disk.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return Names(filepath.Dir(to))
}

// Flush brings a file that no one has open, and its name, to the disk.
func Flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), live.Close(f)); err != nil {
		return err
	}
	return Names(filepath.Dir(path))
}

// Place returns a file its name, if no one else has that.
func Place(made, path string) error {
	err := os.Link(made, path)
	switch {
	case err == nil:
		return os.Remove(made)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	// not every file system has links
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return os.Rename(made, path)
}
