//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package keys

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no one else has f locked. The lock ends when f is closed, or with
// the process.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// share waits until no one has f locked. Others may share the lock.
func share(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
