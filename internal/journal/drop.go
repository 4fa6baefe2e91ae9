package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Drop takes the lines away of which gone says so, from both files. It waits for
// writers as Append does, and fails with ErrBusy if one holds on.
func (f *File) Drop(gone func(line []byte) bool) error {
	if f.most == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := os.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(f.path + olderSuffix); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	unlock, locked, err := f.lock()
	if err == nil && !locked {
		err = ErrBusy
	}
	if err != nil {
		return fmt.Errorf("journal %s: %w", f.path, err)
	}
	defer unlock()
	for _, path := range []string{f.path, f.path + olderSuffix} {
		if err := drop(path, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("journal %s: %w", path, err)
		}
	}
	return nil
}

// drop writes what stays over what was there.
func drop(path string, gone func(line []byte) bool) (err error) {
	if _, err := os.Lstat(path); err != nil {
		return err
	}
	file, info, err := openPlain(path, os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	all := make([]byte, info.Size())
	n, err := file.ReadAt(all, 0)
	if err != nil && n < len(all) {
		return err
	}
	var stays []byte
	for line := range bytes.Lines(all) {
		if !gone(line) {
			stays = append(stays, line...)
		}
	}
	if len(stays) == len(all) {
		return nil
	}
	if _, err := file.WriteAt(stays, 0); err != nil {
		return err
	}
	if err := file.Truncate(int64(len(stays))); err != nil {
		return err
	}
	return file.Sync()
}
