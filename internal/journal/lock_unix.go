//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
)

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
