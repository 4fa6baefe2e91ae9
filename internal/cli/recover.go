package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// recoverFileCmd is about a file. Its neighbour 'forget recover' is about memories; who
// names one of those here gets it.
func (a *app) recoverFileCmd() *cobra.Command {
	c := cmd("recover FILE | REF…", "Copy undamaged records of a damaged store to a new one", `Examples:
  stemma recover .stemma/memory.db
  stemma recover .stemma/memory.db --to rescued.db --json
  stemma recover note:5d11                  the same as: stemma forget recover note:5d11

stemma reads a damaged SQLite file page by page and does not change it. It copies
each record with a valid signature to a new store, in the order of the logs, and
names each damaged record. It does not copy read counts and vectors.

If only derived tables are damaged, repair the store with 'stemma doctor --repair'.
An argument is a file if it contains a slash or if such a file exists. Otherwise it
is the ID of a forgotten memory`)
	var in engine.RecoverFileRequest
	c.Flags().StringVar(&in.To, "to", "", "new store (default: next to FILE, with -recovered in its name)")
	c.Args = cobra.MinimumNArgs(1)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 || !a.names(args[0]) {
			if in.To != "" {
				return api.Invalid("--to: needs a damaged file, and %q is not a file", args[0])
			}
			return a.recoverCmd().RunE(cmd, args)
		}
		lost := 0
		bar := a.progress(-1, "records")
		do := func(ctx context.Context, in engine.RecoverFileRequest) (engine.RecoverFileReply, error) {
			defer bar.end()
			r, err := engine.RecoverFile(ctx, engine.Config{Databases: a.databases(), Patience: a.patience}, in, bar.at)
			lost = len(r.Lost)
			return r, err
		}
		err := verbAs(a, do, func(args []string) (engine.RecoverFileRequest, error) {
			if in.From = a.path(args[0]); in.To != "" {
				in.To = a.path(in.To)
			}
			return in, nil
		}, a.showRecovered)(cmd, args)
		if err == nil && lost > 0 {
			return errFailed
		}
		return err
	}
	return c
}

// names distinguishes a file from the ID of a memory.
func (a *app) names(arg string) bool {
	if strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) {
		return true
	}
	_, err := os.Lstat(a.path(arg))
	return err == nil
}

func (a *app) showRecovered(r engine.RecoverFileReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s: %s of %s\n", clean(r.File), count(r.Records, "record", "records"), clean(r.From))
	for _, s := range r.Spaces {
		fmt.Fprintf(w, "  %-8d %s\n", s.Records, clean(s.Space))
	}
	for _, l := range r.Lost {
		id := "a record of unknown ID"
		if l.ID != "" {
			id = l.ID[:8]
		}
		fmt.Fprintf(w, "damaged: %s, record %d of %s: %s\n", id, l.Seq, clean(l.Space), line(l.Why, 200))
	}
	a.hint("to check it: stemma --store %s doctor; to use it as your store: stemma restore %s --force",
		r.File, r.File)
	return nil
}
