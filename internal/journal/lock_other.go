//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package journal

// TryLock locks nothing: here only the goroutines of one process keep the bound
// to the byte.
func TryLock(string) (unlock func(), locked bool, err error) { return func() {}, true, nil }
