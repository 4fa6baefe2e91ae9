package hosts

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Diff shows what changes in a text, as diff -u does; "" where nothing does. Lines end in
// one way, for a terminal.
func Diff(path, before, after string) string {
	return strings.ReplaceAll(udiff.Unified(path, path, before, after), "\r\n", "\n")
}
