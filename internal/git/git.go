// Package git runs the git binary safely, for the rooms that read repositories. These may
// be a stranger's: git runs with arguments and never through a shell, and with nothing of
// the repository's own settings that would run a program, ask the network, or change what
// is printed.
package git

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// guards come before every command.
var guards = []string{
	"--no-pager", "--no-replace-objects", "--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "protocol.allow=never",
	"-c", "core.quotepath=false",
	"-c", "log.showRoot=true",
	"-c", "log.showSignature=false", // it runs gpg.program
}

const (
	complaint = 4 << 10         // how much of what git says went wrong is kept, in bytes
	goodbye   = 2 * time.Second // how long git may take to end once it is to
)

// Environment is ours without what points git at other repositories, programs or
// configuration, and with what keeps it from asking, fetching and translating.
func Environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "LANGUAGE=") {
			env = append(env, v)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// Command is git in a directory, so that no name of one can be taken for an
// option. What it says went wrong is gathered beside it.
func Command(ctx context.Context, dir string, args ...string) (*exec.Cmd, *Complaint) {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, guards...), args...)...)
	said := &Complaint{}
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = dir, Environment(), said, goodbye
	return cmd, said
}

// A Complaint keeps the beginning of what git says went wrong.
type Complaint struct {
	kept bytes.Buffer // not embedded: its ReadFrom would take everything
}

// Write keeps what there is room for.
func (c *Complaint) Write(p []byte) (int, error) {
	if room := complaint - c.kept.Len(); room > 0 {
		c.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String returns what was kept.
func (c *Complaint) String() string { return c.kept.String() }

// Len is how much that is.
func (c *Complaint) Len() int { return c.kept.Len() }
