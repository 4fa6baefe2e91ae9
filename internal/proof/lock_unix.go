//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package proof

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps others out until the file is closed: all of them where alone, else who
// wants to be alone.
func lock(file *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		if err := syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
