//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package keys

import "os"

// lock locks nothing: here two who change a ring at once may be told that a file of
// the other is in the way, and each file is whole all the same.
func lock(*os.File) error { return nil }
