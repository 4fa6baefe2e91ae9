package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (a *app) tourCmd() *cobra.Command {
	c := cmd("tour", "See stemma work on a small sample, in a temporary store", `Examples:
  stemma tour              a line of code of a small shop, and the words behind it
  stemma tour --here       a decision in the current repository's history
  stemma tour --keep DIR   keep the store, to go on with its commands`)
	c.Args = cobra.NoArgs
	here := c.Flags().Bool("here", false, "look for the story in the current repository")
	keep := c.Flags().String("keep", "", "keep the store in this directory")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		t, done, err := a.newTour(cmd.Context(), *keep)
		if err != nil {
			return ran{err}
		}
		bar := a.elapsed("reading the history")
		err = t.walk(*here)
		bar.end()
		done() // before anything is printed: a reader that goes away ends the process
		if stopped, is := errors.AsType[Interrupted](context.Cause(cmd.Context())); is {
			return ran{unkept{stopped}}
		}
		fmt.Fprint(a.env.Stdout, t.out.String())
		return asRan(err)
	}
	return c
}

// unkept is an interruption that leaves nothing behind.
type unkept struct{ Interrupted }

func (unkept) Error() string   { return "interrupted; the tour kept nothing" }
func (u unkept) Unwrap() error { return u.Interrupted }

// tour is one walk: every step is a command line, shown and then run as it is shown, on a
// store of its own.
type tour struct {
	a    *app
	ctx  context.Context
	out  bytes.Buffer // what it prints in the end
	dir  string       // where its store, its keys and its files are
	kept string       // the same as the person named it; "" if it will be removed
	at   string       // where its steps are taken

	in       io.Reader // what a step reads; nil is nothing
	person   bool      // a step is a person's; its keys are the tour's own
	stranger bool      // a step is taken without the store and the keys
	meaning  bool      // a step has the model within
}

func (a *app) newTour(ctx context.Context, keep string) (*tour, func(), error) {
	t := &tour{a: a, ctx: ctx, kept: keep, at: a.env.Dir}
	if keep == "" {
		dir, err := os.MkdirTemp("", "stemma-tour-*")
		if err != nil {
			return nil, nil, fmt.Errorf("tour: %w", err)
		}
		t.dir = dir
		return t, func() { os.RemoveAll(dir) }, nil
	}
	if t.dir = keep; !filepath.IsAbs(keep) { // a place for keys that is not absolute is not heeded
		t.dir = filepath.Join(a.env.Dir, keep)
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("tour: %w", err)
	}
	// its steps must not be taken with anybody's keys
	if there, err := os.ReadDir(t.dir); err != nil || len(there) > 0 {
		return nil, nil, fmt.Errorf("tour: %s is not empty; name an empty or a new directory", keep)
	}
	return t, func() {}, nil
}
