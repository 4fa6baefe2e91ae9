package importers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"strings"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

// guards come before every git command: a repository is a stranger's, and its
// own settings must neither run programs nor change what is printed.
var guards = []string{
	"--no-pager", "--no-replace-objects",
	"-c", "core.quotepath=false",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "log.showRoot=true",
}

// logOptions print one thing on every machine, whatever is configured.
var logOptions = []string{
	"log", "--reverse", "--topo-order", "-z", "-c", "--name-status", "--format=" + logFormat,
	"--encoding=UTF-8", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
	"-O/dev/null", "--no-show-signature", "--no-notes", "--no-mailmap",
}

// complaint is how much of what git says went wrong is passed on, in bytes.
const complaint = 4 << 10

// environment is ours without the settings that point git at other repositories,
// programs or configuration, and with those that keep it from asking, fetching
// and translating.
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

// command is git with arguments, never through a shell. It is run in the
// directory, so that no name of one can be taken for an option.
func (g *repository) command(ctx context.Context, stderr *bytes.Buffer, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, guards...), args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = g.dir, environment(), &bounded{stderr}
	return cmd
}

// ask runs a command that answers with little.
func (g *repository) ask(ctx context.Context, args ...string) (string, error) {
	var stderr bytes.Buffer
	out, err := g.command(ctx, &stderr, args...).Output()
	return string(out), g.failed(ctx, err, &stderr)
}

// commits streams the log. When the loop ends early, git is ended too; it is
// always waited for.
func (g *repository) commits(ctx context.Context) iter.Seq2[*loggedCommit, error] {
	return func(yield func(*loggedCommit, error) bool) {
		running, stop := context.WithCancel(ctx)
		defer stop()
		var stderr bytes.Buffer
		cmd := g.command(running, &stderr, append(append([]string{}, logOptions...), g.starts...)...)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			yield(nil, g.failed(ctx, err, &stderr))
			return
		}
		var bad error
		for c, err := range readLog(out) {
			if bad = err; bad != nil || !yield(c, nil) {
				stop()
				if bad == nil {
					_ = cmd.Wait() // it was ended by us
					return
				}
				break
			}
		}
		ended := cmd.Wait()
		switch {
		case ctx.Err() != nil:
			bad = ctx.Err()
		case ended != nil && (bad == nil || stderr.Len() > 0):
			bad = g.failed(ctx, ended, &stderr)
		case bad != nil:
			bad = fmt.Errorf("import git %s: %w", g.dir, bad)
		}
		if bad != nil {
			yield(nil, bad)
		}
	}
}

// failed says why git did not do it, in git's own words.
func (g *repository) failed(ctx context.Context, err error, stderr *bytes.Buffer) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		why := strings.TrimPrefix(memory.FirstLine(strings.ToValidUTF8(stderr.String(), "\uFFFD")), "fatal: ")
		if why == "" {
			why = exit.Error()
		}
		return stemma.Invalid("import git %s: %s", g.dir, why)
	}
	return fmt.Errorf("import git %s: %w", g.dir, err)
}

// mustBeFolder says in our words what the start of a program would say in its.
func mustBeFolder(dir, abs string) error {
	switch info, err := os.Stat(abs); {
	case errors.Is(err, fs.ErrNotExist):
		return stemma.Invalid("import git %s: there is no such folder", dir)
	case err != nil:
		return fmt.Errorf("import git: %w", err)
	case !info.IsDir():
		return stemma.Invalid("import git %s: is not a folder", dir)
	}
	return nil
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ b *bytes.Buffer }

func (w *bounded) Write(p []byte) (int, error) {
	if room := complaint - w.b.Len(); room > 0 {
		w.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
