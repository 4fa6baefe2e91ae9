package owned

import (
	"os"
	"path/filepath"
	"strings"
)

// A Place is where a store lies: the real path of its file and which file it is, or
// the address of a server, without a password.
type Place struct {
	Path  string `json:"path"`
	Dev   uint64 `json:"dev,omitempty"`
	Inode uint64 `json:"inode,omitempty"`
}

// server reports whether a place is no file.
func (p Place) server() bool { return strings.Contains(p.Path, "://") }

// Where returns the place of a file. The error is fs.ErrNotExist where there is none;
// the place then has the path that the file would have.
func Where(path string) (Place, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Place{}, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		if dir, dirErr := filepath.EvalSymlinks(filepath.Dir(path)); dirErr == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		return Place{Path: path}, err
	}
	info, err := os.Lstat(real)
	if err != nil {
		return Place{Path: real}, err
	}
	p := Place{Path: real}
	p.Dev, p.Inode = number(info)
	return p, nil
}
