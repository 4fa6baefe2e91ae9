// Package datasets finds measuring data that does not ship with the project, for the tests
// of several rooms that can do more where it is present.
package datasets

import (
	"os"
	"path/filepath"
	"testing"
)

// dirVariable names the directory of the data. Where it is not set, the data is
// looked for beside the module.
const dirVariable = "STEMMA_DATA"

// File returns the path of an optional file or directory of data. It skips the
// test where there is none; the reason begins with "optional data", which tells
// it from a test that was skipped and should not have been.
func File(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv(dirVariable)
	if dir == "" {
		root, ok := moduleRoot()
		if !ok {
			t.Skipf("optional data: %s is not set and there is no module to look beside", dirVariable)
		}
		dir = filepath.Join(filepath.Dir(root), "shared", "data")
	}
	path := filepath.Join(append([]string{dir}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("optional data: no %s; set %s to the directory that has it", filepath.Join(parts...), dirVariable)
	}
	return path
}

// moduleRoot looks for go.mod from the working directory upward.
func moduleRoot() (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}
