package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) backupCmd() *cobra.Command {
	c := cmd("backup FILE | DIR", "Copy the store to a file while it is in use", `Examples:
  stemma backup /media/stick/memory.db     replace the last backup when the new one is complete
  stemma backup /backups/                  an existing directory: one file per backup
  stemma backup --project /backups --json

The backup is a consistent snapshot. stemma reads it back and flushes it to disk
before the command ends. It replaces an existing file only if that file is an
older backup of the same store and the new one has all its records.

A backup does not contain your keys, settings, remotes or receipts. Copy the
directory that the command prints to a different place. Words that you purge
later stay in earlier backups`)
	c.Args = cobra.ExactArgs(1)
	c.RunE = verbAs(a, func(ctx context.Context, to string) (api.BackupReply, error) {
		e, err := a.openToRead(ctx)
		if err == nil && a.absent {
			err = api.Invalid("backup: there is no store yet")
		}
		if err != nil {
			return api.BackupReply{}, err
		}
		bar := a.elapsed("copying the store and reading it back")
		defer bar.end()
		return e.Backup(ctx, to)
	}, func(args []string) (string, error) {
		to := a.path(args[0])
		if n := len(args[0]); n > 0 && os.IsPathSeparator(args[0][n-1]) && !os.IsPathSeparator(to[len(to)-1]) {
			to += string(filepath.Separator) // it says that this is a directory
		}
		return to, nil
	}, a.showBackup)
	return a.single(c)
}

// path is a file as it was named where the program was called.
func (a *app) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.env.Dir, name)
}

func (a *app) showBackup(r api.BackupReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s: %s, %.1f MB\n", clean(r.File), count(int(r.Records), "record", "records"), float64(r.Bytes)/1e6)
	for _, s := range r.Spaces {
		fmt.Fprintf(w, "  %-8d %s  %s\n", s.Size, s.Root[:min(12, len(s.Root))], clean(s.Space))
	}
	a.hint("the backup does not contain your keys; also copy %s to another place", r.Keys)
	return nil
}

func (a *app) restoreCmd() *cobra.Command {
	c := cmd("restore FILE", "Restore the store from a backup", `Examples:
  stemma restore /media/stick/memory.db              when there is no store yet
  stemma restore /media/stick/memory.db --dry-run    show what you would lose
  stemma restore /media/stick/memory.db --force      move the current store aside first

stemma reports the records that the backup lacks, and deletes nothing. It also
compares the restored log with the checkpoints that others hold. If they do not
match, it says so now and in every 'stemma audit'. To compare with a checkpoint
you kept, use 'stemma log check FILE'. 'stemma sync' brings back shared records.

With --force, only a person at a terminal can restore, and no other process may
have the store open`)
	var in api.RestoreRequest
	c.Flags().BoolVar(&in.Force, "force", false, "move an existing store aside")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what you would lose, and change nothing")
	c.MarkFlagsMutuallyExclusive("force", "dry-run")
	c.Args = cobra.ExactArgs(1)
	c.RunE = verbAs(a, a.restore, func(args []string) (api.RestoreRequest, error) {
		in.From = a.path(args[0])
		return in, nil
	}, a.showRestore)
	return a.single(c)
}

// restoreReply is what came of a restore, and where the keys are that go with it.
type restoreReply struct {
	api.RestoreReply
	Keys   string `json:"keys"`
	NoKeys bool   `json:"no_keys,omitempty"` // there are none there
}

func (a *app) restore(ctx context.Context, in api.RestoreRequest) (restoreReply, error) {
	var reply restoreReply
	spec, err := a.storeSpec()
	if err != nil {
		return reply, err
	}
	if reply.Keys, err = a.keyDir(); err != nil {
		return reply, err
	}
	files, err := os.ReadDir(reply.Keys)
	reply.NoKeys = err != nil || len(files) == 0
	c := engine.Config{
		Databases: a.databases(),
		Data:      filepath.Dir(reply.Keys), Cache: a.cacheDir(), Patience: a.patience, Origin: a.origin(),
		Purged: a.forgetWaiting}
	c.Receipts, _ = a.receiptsFiles(spec)
	path := strings.TrimPrefix(spec, "sqlite:")
	was, _ := atrest.ReadHead(path)
	bar := a.elapsed("restoring the store")
	reply.RestoreReply, err = engine.Restore(ctx, spec, c, in)
	bar.end()
	if err == nil && reply.Restored {
		err = a.restored(ctx, spec)
		if now, headErr := atrest.ReadHead(path); was != nil && now == nil && headErr == nil {
			a.hint("warning: the store was encrypted, and the backup is not: run 'stemma store encrypt'")
		}
	}
	return reply, err
}

func (a *app) showRestore(r restoreReply) error {
	w := a.env.Stdout
	does := "restored"
	if !r.Restored {
		does = "would be restored"
	}
	of := ""
	if r.Made != "" {
		of = ", as it was at " + clean(r.Made)
	}
	fmt.Fprintf(w, "%s %s: %s%s\n", clean(r.File), does, count(int(r.Records), "record", "records"), of)
	for _, s := range r.Spaces {
		note := ""
		if s.Status != engine.LogOK {
			note = "  " + s.Status
		}
		fmt.Fprintf(w, "  %-8d %s  %s%s\n", s.Size, s.Root[:min(12, len(s.Root))], clean(s.Space), note)
	}
	a.showLoss(r.RestoreReply)
	if r.Aside != "" {
		a.hint("the previous store is now %s; nothing was deleted", r.Aside)
	}
	switch {
	case r.NoKeys:
		a.hint("no keys in %s: restore this store's keys before you write, or stemma creates new keys for a new owner",
			r.Keys)
	case r.Restored:
		a.hint("to compare it with a checkpoint that you kept: stemma log check FILE")
	}
	return nil
}

// showLoss says what the store had and the backup has not.
func (a *app) showLoss(r api.RestoreReply) {
	w := a.env.Stdout
	if r.Unread != "" {
		fmt.Fprintf(w, "the previous store cannot be read, so the records that the backup lacks are unknown: %s\n",
			line(r.Unread, 300))
	}
	if r.Lost > 0 {
		fmt.Fprintf(w, "not in the backup: %s (%s)\n", count(r.Lost, "record", "records"), line(kindsWords(r.Kinds), 300))
	}
	if r.Purges > 0 {
		fmt.Fprintf(w, "among these %s: the purged words come back until you purge them again\n",
			count(r.Purges, "purge", "purges"))
	}
	for _, h := range r.Held {
		fmt.Fprintf(w, "%s: the checkpoint of %s for %s has %s\n", h.Status, line(h.By, 100), clean(h.Space),
			count(int(h.Size), "record", "records"))
	}
}
