//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package vec

import (
	"errors"
	"os"
)

// tryLock knows of no lock here that ends with the process: without one there
// is no writing, and an index is made in memory.
func tryLock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}
