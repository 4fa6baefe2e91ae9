// Package live knows which files this process has open through SQLite, for every room
// that reads files. On POSIX systems, closing any descriptor of a file drops all locks
// that the process holds on it: SQLite's too. Others then take away the log under a writer.
package live

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// A file is one that SQLite has open here, with the memory that it shares with other
// processes, which is a file beside it and has locks, too.
type file struct {
	path   string
	info   fs.FileInfo
	users  int
	parked []*os.File // closed with the last user
}

var (
	mu    sync.Mutex
	files []*file
)

// Enter says that SQLite is about to open a file. Who entered calls leave once, when
// all of SQLite's descriptors that they caused are closed.
func Enter(path string) (leave func() error, err error) {
	mu.Lock()
	defer mu.Unlock()
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := find(info)
	if f == nil {
		f = &file{path: path, info: info}
		files = append(files, f)
	}
	f.users++
	return sync.OnceValue(func() error { return left(f) }), nil
}

func left(f *file) error {
	mu.Lock()
	defer mu.Unlock()
	if f.users--; f.users > 0 {
		return nil
	}
	for i := range files {
		if files[i] == f {
			files = append(files[:i], files[i+1:]...)
			break
		}
	}
	var err error
	for _, p := range f.parked {
		err = errors.Join(err, p.Close())
	}
	return err
}

// ErrOpen says that a file is not read because SQLite has it open here.
var ErrOpen = errors.New("it is a store that is open here")

// Has reports whether SQLite has a file open here. No one else should open it.
func Has(info fs.FileInfo) bool {
	mu.Lock()
	defer mu.Unlock()
	return find(info) != nil
}

// Close closes a file that may be one which SQLite has open here: then its descriptor
// stays until SQLite's are closed.
func Close(f *os.File) error {
	mu.Lock()
	defer mu.Unlock()
	if len(files) > 0 {
		if info, err := f.Stat(); err == nil {
			if at := find(info); at != nil {
				at.parked = append(at.parked, f)
				return nil
			}
		}
	}
	return f.Close()
}

func find(info fs.FileInfo) *file {
	for _, f := range files {
		if os.SameFile(f.info, info) {
			return f
		}
		if shared, err := os.Stat(f.path + "-shm"); err == nil && os.SameFile(shared, info) {
			return f
		}
	}
	return nil
}
