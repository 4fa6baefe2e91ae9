package static

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// fingerprint is all that tells this state of a file from every other, or false where the system does not say.
func fingerprint(at fs.FileInfo) (string, bool) {
	s, ok := at.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	return fmt.Sprintf(
		"1 %d %d %d %d %d", s.Dev, s.Ino, at.Size(), at.ModTime().UnixNano(), lastChange(at).UnixNano(),
	), true
}

// lastChange is when the file's content or entry last changed.
func lastChange(at fs.FileInfo) time.Time {
	if s, ok := at.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctimespec.Unix())
	}
	return at.ModTime()
}
