//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the most memory that a process held, in bytes.
func peak(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) // in bytes there, elsewhere in kB
	}
	return int64(u.Maxrss) * 1024
}
