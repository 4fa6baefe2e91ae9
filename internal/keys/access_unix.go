//go:build unix

package keys

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkAccess refuses a file that others may read, or that is another user's, whose
// key it then is.
func checkAccess(name string, info fs.FileInfo, want fs.FileMode) error {
	// The owner first: chmod mends nothing for who may not do it.
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s (mode %s) belongs to user %d, not to user %d who runs this: run it as that user, or: "+
			"chown %d %s",
			name, info.Mode(), stat.Uid, os.Geteuid(), os.Geteuid(), quote(name))
	}
	if got := info.Mode().Perm(); got != want {
		return fmt.Errorf("%s has mode %04o, want %04o: chmod %o %s", name, got, want, want, quote(name))
	}
	return nil
}

// syncDir returns when the names in dir are on disk.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// renameDir puts a directory in the place of one that is missing or empty, in one
// step. os.Rename would refuse an empty one.
func renameDir(from, to string) error {
	if err := syscall.Rename(from, to); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
