//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package keys

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no one else has f locked. The lock ends when f is closed, or with
// the process.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
