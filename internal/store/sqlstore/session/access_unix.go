//go:build unix

package session

import (
	"errors"
	"syscall"
)

// CanWrite reports whether files can be made in a directory.
func CanWrite(dir string) bool {
	const writeAndSearch = 2 | 1
	return syscall.Access(dir, writeAndSearch) == nil
}

// IsReadOnlyFS reports whether err says that nothing can be written there.
func IsReadOnlyFS(err error) bool { return errors.Is(err, syscall.EROFS) }
