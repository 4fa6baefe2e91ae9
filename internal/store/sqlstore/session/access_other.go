//go:build !unix

package session

// CanWrite cannot be known in advance on this system.
func CanWrite(string) bool { return true }

// IsReadOnlyFS cannot be known on this system.
func IsReadOnlyFS(error) bool { return false }
