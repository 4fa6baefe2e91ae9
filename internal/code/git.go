package code

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// complaint is how much of what git says went wrong is passed on, in characters.
const complaint = 4 << 10

// A gitError says in git's words why it did not do it.
type gitError struct {
	words string
	code  int // how git ended
}

func (e *gitError) Error() string { return "git: " + e.words }

// ask runs a command and returns all it prints.
func ask(ctx context.Context, dir, stdin string, args ...string) (string, error) {
	cmd, stderr := git.Command(ctx, dir, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	return string(out), failed(ctx, err, stderr)
}

func failed(ctx context.Context, err error, stderr *git.Complaint) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		words := strings.TrimPrefix(shorten.FirstLine(shown(stderr.String(), complaint)), "fatal: ")
		words, _, _ = strings.Cut(words, " (or any ") // of the directories where git looked besides
		if words == "" {
			words = exit.Error()
		}
		return &gitError{words, exit.ExitCode()}
	}
	return fmt.Errorf("git: %w", err)
}
