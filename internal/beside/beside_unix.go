//go:build unix

package beside

import (
	"os/exec"
	"syscall"
)

// alone has a program outlive the session that it was started in.
func alone(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// after gives this process the lowest priority.
func after() {
	const lowest = 19
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, lowest) // where it may not, it works as others do
}
