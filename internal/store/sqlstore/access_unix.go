//go:build unix

package sqlstore

import (
	"errors"
	"syscall"
)

// canWrite reports whether files can be made in a directory.
func canWrite(dir string) bool {
	const writeAndSearch = 2 | 1
	return syscall.Access(dir, writeAndSearch) == nil
}

// isReadOnlyFS reports whether err says that nothing can be written there.
func isReadOnlyFS(err error) bool { return errors.Is(err, syscall.EROFS) }
