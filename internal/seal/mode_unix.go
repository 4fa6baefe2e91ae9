//go:build unix

package seal

import "io/fs"

// tooWide reports whether others than its owner may read or write a file.
func tooWide(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
