//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package proof

import "os"

// lock cannot be had here: what a merge loses is verified again.
func lock(*os.File, bool) error { return nil }
