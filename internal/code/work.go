package code

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/stemma-memory/stemma/internal/live"
)

// readWork reads a file of the working tree. It opens regular files only, and
// none that a symbolic link stands before: git would not have its bytes there.
// An error that is fs.ErrNotExist means that there is no such file.
func readWork(root *os.Root, path string) (*file, error) {
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		info, err := root.Lstat(filepath.FromSlash(path[:i]))
		switch {
		case errors.Is(err, syscall.ENOTDIR):
			return nil, fs.ErrNotExist // a file where a folder was
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, &linkError{path[:i]}
		case i == len(path) && info.IsDir():
			return nil, errFolder
		case i == len(path) && !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		case i == len(path) && info.Size() > maxFile:
			return nil, errTooBig
		case i == len(path) && live.Has(info):
			return nil, live.ErrOpen
		case i < len(path) && !info.IsDir():
			return nil, fs.ErrNotExist
		}
	}
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	defer live.Close(f) // it was only read
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxFile:
		return nil, errTooBig
	}
	return newFile(path, raw), nil
}

var errFolder = errors.New("it is a directory")

// linkError says that a path goes through a symbolic link.
type linkError struct{ at string }

func (e *linkError) Error() string { return e.at + " is a symbolic link" }

// target is where a link leads, from the root, or "" if it leads out of the tree.
func (e *linkError) target(root *os.Root, path string) string {
	to, err := root.Readlink(filepath.FromSlash(e.at))
	if err != nil || filepath.IsAbs(to) {
		return ""
	}
	to = filepath.Join(filepath.Dir(filepath.FromSlash(e.at)), to)
	if !filepath.IsLocal(to) {
		return ""
	}
	to = filepath.ToSlash(to) + strings.TrimPrefix(path, e.at)
	if wrongPath(to) != "" {
		return ""
	}
	return to
}

// why says in few words why a file cannot be read.
func why(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return shown(fmt.Sprint(err), maxWord)
}
