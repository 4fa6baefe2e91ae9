//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vec

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// mapFile returns the first n bytes of a file, to read only.
func mapFile(file *os.File, n int64) ([]byte, error) {
	if n > math.MaxInt {
		return nil, syscall.EFBIG
	}
	b, err := syscall.Mmap(int(file.Fd()), 0, int(n), syscall.PROT_READ, syscall.MAP_SHARED)
	return b, os.NewSyscallError("mmap", err)
}

func unmap(b []byte) error {
	if b == nil {
		return nil
	}
	return os.NewSyscallError("munmap", syscall.Munmap(b))
}

// tryLock takes a lock that ends with the process, or fails with ErrBusy.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	for {
		switch err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return file, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			err = ErrBusy
		}
		file.Close()
		return nil, err
	}
}

// syncDir makes a rename in a directory last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
