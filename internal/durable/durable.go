// Package durable makes names of files outlive a power cut, for every room that writes
// files. A file that was synced and then renamed is whole under its old name or its new
// one; which, the directory says, and it has a sync of its own.
package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
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
