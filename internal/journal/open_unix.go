//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
)

// plainFlags make opening a link fail, and opening a pipe not wait.
const plainFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isLink reports that plainFlags are why err came.
func isLink(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) // EMLINK: FreeBSD
}

// closeOthersOut takes everybody else's right to the file.
func closeOthersOut(file *os.File) error { return file.Chmod(fileMode) }
