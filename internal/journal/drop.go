package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/durable"
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
		plain, err := atrest.UnsealLine(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil || !gone(plain) {
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

// Reseal seals the lines of which mine says so with the journal's key, or makes them readable where
// it has none. Zeros are written over what was there. It waits for writers as Append does.
func (f *File) Reseal(mine func(line []byte) bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := os.Stat(filepath.Dir(f.path)); errors.Is(err, fs.ErrNotExist) {
		return nil
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
		if err := f.reseal(path, mine); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("journal %s: %w", path, err)
		}
	}
	return nil
}

func (f *File) reseal(path string, mine func(line []byte) bool) (err error) {
	file, info, err := openPlain(path, os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	all := make([]byte, info.Size())
	if n, err := file.ReadAt(all, 0); err != nil && n < len(all) {
		return err
	}
	var out []byte
	for line := range bytes.Lines(all) {
		plain, err := atrest.UnsealLine(bytes.TrimSuffix(line, []byte{'\n'}))
		if parsed, ok := parse(plain); err == nil && ok && mine(plain) {
			if plain, err = f.Key.SealLine(parsed.ID, plain); err != nil {
				return err
			}
			line = append(plain[:len(plain):len(plain)], '\n')
		}
		out = append(out, line...)
	}
	if bytes.Equal(out, all) {
		return nil
	}
	half, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = half.Write(out)
	if err = errors.Join(err, half.Sync(), half.Close()); err == nil {
		err = durable.Rename(half.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half.Name()))
	}
	if _, err := file.WriteAt(make([]byte, len(all)), 0); err != nil { // no name is left to it
		return err
	}
	return file.Sync()
}
