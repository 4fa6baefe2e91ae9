package importers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// logOptions print one thing on every machine, whatever is configured.
var logOptions = []string{
	"log", "--reverse", "-z", "-c", "--name-status", "--format=" + logFormat,
	"--encoding=UTF-8", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
	"-O/dev/null", "--no-show-signature", "--no-notes", "--no-mailmap",
}

// ask runs a command that answers with little.
func (g *repository) ask(ctx context.Context, args ...string) (string, error) {
	cmd, stderr := git.Command(ctx, g.dir, args...)
	out, err := cmd.Output()
	return string(out), g.failed(ctx, err, stderr)
}

// commits streams the log. When the loop ends early, git is ended too; it is
// always waited for.
func (g *repository) commits(ctx context.Context) iter.Seq2[*loggedCommit, error] {
	return func(yield func(*loggedCommit, error) bool) {
		running, stop := context.WithCancel(ctx)
		defer stop()
		cmd, stderr := git.Command(running, g.dir, slices.Concat(logOptions, g.order, g.starts)...)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			yield(nil, g.failed(ctx, err, stderr))
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
			bad = g.failed(ctx, ended, stderr)
		case bad != nil:
			bad = fmt.Errorf("import git %s: %w", g.dir, bad)
		}
		if bad != nil {
			yield(nil, bad)
		}
	}
}

// failed says why git did not do it, in git's own words.
func (g *repository) failed(ctx context.Context, err error, stderr *git.Complaint) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		why := strings.TrimPrefix(shorten.FirstLine(strings.ToValidUTF8(stderr.String(), "\uFFFD")), "fatal: ")
		if why == "" {
			why = exit.Error()
		}
		return api.Invalid("import git %s: %s", g.dir, why)
	}
	return fmt.Errorf("import git %s: %w", g.dir, err)
}

// mustBeFolder says in our words what the start of a program would say in its.
func mustBeFolder(dir, abs string) error {
	switch info, err := os.Stat(abs); {
	case errors.Is(err, fs.ErrNotExist):
		return api.Invalid("import git %s: no such folder", dir)
	case err != nil:
		return fmt.Errorf("import git: %w", err)
	case !info.IsDir():
		return api.Invalid("import git %s: is not a folder", dir)
	}
	return nil
}
