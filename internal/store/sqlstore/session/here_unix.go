//go:build unix

package session

import (
	"io/fs"
	"syscall"
)

// namesOf counts the names of a file.
func namesOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // the types differ between systems
	}
	return 1
}
