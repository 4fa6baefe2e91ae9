//go:build unix

package browse

import (
	"os"
	"os/signal"
	"syscall"
)

// resizes reports every change of the terminal's size.
func resizes() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
