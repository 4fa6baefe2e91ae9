//go:build !unix

package sqlstore

// canWrite cannot be known in advance on this system.
func canWrite(string) bool { return true }

func isReadOnlyFS(error) bool { return false }
