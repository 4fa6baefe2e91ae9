// Package beside runs this program once more, to go on by itself when its caller ends, and has a process take no more
// of the machine than others leave.
package beside

import (
	"os"
	"os/exec"
	"runtime"
)

// Start runs this program with arguments in a directory, and does not wait for it. What it says is heard by none. What
// may hold a password goes into its environment: everyone on a machine can read the arguments of a process.
func Start(dir string, env []string, args ...string) error {
	program, err := exec.LookPath(os.Args[0]) // as it was called: a test's program has another name
	if err != nil {
		return err
	}
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	alone(c)
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}

// Yield has this process work on one core and after others.
func Yield() {
	runtime.GOMAXPROCS(1)
	after()
}
