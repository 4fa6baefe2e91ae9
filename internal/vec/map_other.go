//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package vec

import (
	"io"
	"os"
)

// mapFile returns the first n bytes of a file.
func mapFile(file *os.File, n int64) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(io.NewSectionReader(file, 0, n), b)
	return b, err
}

func unmap([]byte) error { return nil }

func syncDir(string) error { return nil }
