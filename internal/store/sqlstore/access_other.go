//go:build !unix

package sqlstore

// canWrite cannot be told beforehand here.
func canWrite(string) bool { return true }

func isReadOnlyFS(error) bool { return false }
