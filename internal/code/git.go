package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// guards come before every git command: a repository's own settings must not
// run programs, nor change what is read or printed.
var guards = []string{
	"--no-pager", "--no-replace-objects", "--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "protocol.allow=never",
	"-c", "core.quotepath=false",
	"-c", "log.showRoot=true",
}

const (
	complaint = 4 << 10         // how much of what git says went wrong is passed on, in bytes
	goodbye   = 2 * time.Second // how long git may take to end once it is to
)

// environment is ours without what points git at other repositories, programs or
// configuration, and with what keeps it from asking, fetching and translating.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "LANGUAGE=") {
			env = append(env, v)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// A gitError says in git's words why it did not do it.
type gitError struct {
	words string
	code  int // how git ended
}

func (e *gitError) Error() string { return "git: " + e.words }

// command is git with arguments, never through a shell.
func command(ctx context.Context, dir string, args ...string) (*exec.Cmd, *bounded) {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, guards...), args...)...)
	stderr := &bounded{}
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = dir, environment(), stderr, goodbye
	return cmd, stderr
}

// ask runs a command and returns all it prints.
func ask(ctx context.Context, dir, stdin string, args ...string) (string, error) {
	cmd, stderr := command(ctx, dir, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	return string(out), failed(ctx, err, stderr)
}

func failed(ctx context.Context, err error, stderr *bounded) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		words := strings.TrimPrefix(memory.FirstLine(shown(stderr.String(), complaint)), "fatal: ")
		if words == "" {
			words = exit.Error()
		}
		return &gitError{words, exit.ExitCode()}
	}
	return fmt.Errorf("git: %w", err)
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (w *bounded) Write(p []byte) (int, error) {
	if room := complaint - w.Len(); room > 0 {
		w.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
