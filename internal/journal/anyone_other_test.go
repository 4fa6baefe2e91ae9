//go:build !linux

package journal

import (
	"os"
	"testing"
)

// asAnyone calls f with a directory of its own, if modes mean something to who
// runs the tests.
func asAnyone(t *testing.T, f func(dir string)) {
	t.Helper()
	if os.Geteuid() > 0 { // -1 where there are no modes
		f(t.TempDir())
	}
}
