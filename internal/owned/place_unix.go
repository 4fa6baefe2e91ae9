//go:build unix

package owned

import (
	"io/fs"
	"syscall"
)

// number tells one file from all others of the machine.
func number(info fs.FileInfo) (dev, inode uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev), uint64(s.Ino) //nolint:unconvert // the types differ between systems
	}
	return 0, 0
}
