package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/hosts"
)

// commitLimit is how long a commit waits for what is noted of it.
const commitLimit = 10 * time.Second

// hookCommit is what git runs after a commit. It ends well and says nothing: what went wrong is in the hooks' log.
func (a *app) hookCommit() *cobra.Command {
	return a.gitHook("commit", "Sign which sessions wrote the last commit; git runs it", a.recordCommit)
}

// hookTrailer is what git runs before a commit where trailers are wanted.
func (a *app) hookTrailer() *cobra.Command {
	return a.gitHook("trailer FILE", "Name the sessions in a commit's message; git runs it", a.addTrailers)
}

func (a *app) gitHook(use, short string, do func(context.Context, git.Repository, []string) error) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Hidden: true, Args: cobra.ArbitraryArgs}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.env.Stdout, a.env.Stderr = io.Discard, io.Discard
		a.hooked, a.strict, a.ownerTimeout = true, true, judgeInHook
		ctx, stop := context.WithTimeout(cmd.Context(), commitLimit)
		defer stop()
		err := a.inGitHook(ctx, args, do)
		if closed := a.closeQuietly(); err == nil {
			err = closed
		}
		if err != nil {
			a.hookFailed([]string{"git", c.Name()}, err)
		}
		return nil
	}
	return c
}

func (a *app) inGitHook(
	ctx context.Context, args []string, do func(context.Context, git.Repository, []string) error,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r, ok := git.Find(a.env.Dir)
	if paused, _, err := a.paused(); !ok || err != nil || paused {
		return err
	}
	return do(ctx, r, args)
}

func (a *app) recordCommit(ctx context.Context, r git.Repository, _ []string) error {
	notes, err := a.editNotes()
	if err != nil || !notes.Any(r) {
		return err // without a note nothing is signed
	}
	spec, err := a.storeSpec()
	if err != nil || a.isAbsent(spec) {
		return err
	}
	a.writes, a.alone, a.undrained = true, true, true
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	if _, err := a.drain(ctx, drainedByHook); err != nil && !busy(err) {
		a.hookFailed([]string{"git", "commit"}, err)
	}
	_, err = e.RecordCommit(ctx, r, "HEAD")
	return err
}

// addTrailers names in a commit's message the sessions that wrote lines of what is about to be committed.
func (a *app) addTrailers(ctx context.Context, r git.Repository, args []string) error {
	notes, err := a.editNotes()
	if err != nil || len(args) == 0 || !notes.Any(r) {
		return err
	}
	index := a.env.Getenv("GIT_INDEX_FILE")
	if index != "" && !filepath.IsAbs(index) {
		index = filepath.Join(r.Dir, index)
	}
	staged, err := blame.Staged(ctx, r, index, func(paths []string) ([]*blame.Note, error) { return notes.Of(r, paths) })
	if err != nil {
		return err
	}
	var names []string
	for _, n := range staged {
		if name := hosts.Harmless(n.Host + "/" + n.Session); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		cmd, said := git.Command(ctx, a.env.Dir, "interpret-trailers", "--in-place", "--if-exists", "addIfDifferent",
			"--trailer", "Stemma-Session: "+name, args[0])
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("git: %s", said)
		}
	}
	return nil
}
