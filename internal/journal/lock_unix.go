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

// TryLock takes a lock that ends with the process, unless another one has it.
func TryLock(path string) (unlock func(), locked bool, err error) {
	file, _, err := openPlain(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, false, err
	}
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return func() { file.Close() }, true, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			file.Close()
			return func() {}, false, nil
		default:
			file.Close()
			return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
		}
	}
}
