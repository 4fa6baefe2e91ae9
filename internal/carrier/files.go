package carrier

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/envelope"
)

// mostSmall bounds the files of a folder that say what lies beside them, in bytes.
const mostSmall = 64 << 10

// errTaken says that a file is there already that was to be new.
var errTaken = errors.New("another sync of this store wrote there meanwhile")

// A base is a folder that others write to. Nothing in it leads out of it: whoever put a
// link there would otherwise have a file of this machine read as memory, and written
// into the folder for everybody.
type base string

// in opens the folder for as long as something is done in it.
func (b base) in(do func(*os.Root) error) error {
	root, err := os.OpenRoot(string(b))
	if err != nil {
		return err
	}
	return errors.Join(do(root), root.Close())
}

// path is how a file is named to people.
func (b base) path(name string) string { return filepath.Join(string(b), name) }

// regular opens a file for reading; what is none, a pipe say, would be waited for.
func (b base) regular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", b.path(name))
	}
	return root.Open(name)
}

// read reads a file whole that has no more than some bytes.
func (b base) read(name string, most int64) (raw []byte, err error) {
	err = b.in(func(root *os.Root) error {
		f, err := b.regular(root, name)
		if err != nil {
			return err
		}
		defer f.Close()
		raw, err = io.ReadAll(io.LimitReader(f, most+1))
		if err == nil && int64(len(raw)) > most {
			err = fmt.Errorf("%s has more than %d bytes", b.path(name), most)
		}
		return err
	})
	return raw, err
}

func (b base) readJSON(name string, into any) error {
	raw, err := b.read(name, mostSmall)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", b.path(name), err)
	}
	return nil
}

// list returns what lies in a directory, in the order of names.
func (b base) list(name string) (out []fs.DirEntry, err error) {
	err = b.in(func(root *os.Root) error {
		out, err = fs.ReadDir(root.FS(), filepath.ToSlash(name))
		return err
	})
	return out, err
}

func (b base) eachLine(name string, do func(line []byte)) error {
	return b.in(func(root *os.Root) error {
		f, err := b.regular(root, name)
		if err != nil {
			return err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(make([]byte, 0, 64<<10), envelope.Most)
		for in.Scan() {
			do(bytes.Clone(in.Bytes()))
		}
		if err := in.Err(); err != nil {
			return fmt.Errorf("%s: %w", b.path(name), err)
		}
		return nil
	})
}

func (b base) mkdir(name string) error {
	const dirMode = 0o755 // whoever may read the folder may read it
	return b.in(func(root *os.Root) error { return root.MkdirAll(name, dirMode) })
}

// write puts a file in place whole, where it is not the same already. If, asked once it
// is on the disk, says no, it stays away.
func (b base) write(name string, raw []byte, wanted func(*os.Root) bool) error {
	return b.in(func(root *os.Root) error {
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(raw)) {
			if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, raw) {
				return nil
			}
		}
		return b.placed(root, name, raw, func(made string) error {
			if wanted != nil && !wanted(root) {
				return nil
			}
			return root.Rename(made, name)
		})
	})
}

// add puts a new file in place whole; errTaken where one is there.
func (b base) add(name string, raw []byte) error {
	return b.in(func(root *os.Root) error {
		return b.placed(root, name, raw, func(made string) error {
			err := root.Link(made, name)
			if err == nil || errors.Is(err, fs.ErrExist) {
				return taken(err)
			}
			if _, there := root.Lstat(name); there == nil { // no links are made on a stick
				return taken(fs.ErrExist)
			}
			return root.Rename(made, name)
		})
	})
}

func taken(err error) error {
	if err != nil {
		return errTaken
	}
	return nil
}

// placed writes a file beside the one that is meant, has it put in its place and lets
// the disk keep that.
func (b base) placed(root *os.Root, name string, raw []byte, put func(made string) error) error {
	var dice [8]byte
	_, _ = rand.Read(dice[:]) // never fails
	made := filepath.Join(filepath.Dir(name), ".new-"+hex.EncodeToString(dice[:]))
	const fileMode = 0o644
	f, err := root.OpenFile(made, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { _ = root.Remove(made) }() // unless it is in its place
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = put(made)
	}
	if err != nil {
		return err
	}
	if dir, err := root.Open(filepath.Dir(name)); err == nil { // that a name is there is the directory's to keep
		_ = dir.Sync() // not everything a folder lies on can
		_ = dir.Close()
	}
	return nil
}
