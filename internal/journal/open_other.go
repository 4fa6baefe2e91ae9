//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package journal

import "os"

const plainFlags = 0

func isLink(error) bool { return false }

// closeOthersOut does nothing: who may read a file is not in its mode here.
func closeOthersOut(*os.File) error { return nil }
