//go:build !unix

package keys

import (
	"io/fs"
	"os"
)

// checkAccess accepts everything: who may read a file is not in its mode here. The
// user's own directory, where keys are, is closed to others by default.
func checkAccess(string, fs.FileInfo, fs.FileMode) error { return nil }

// syncDir does nothing: a directory cannot be opened for it here.
func syncDir(string) error { return nil }

// renameDir puts a directory in the place of one that is missing.
func renameDir(from, to string) error { return os.Rename(from, to) }
