package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) backupCmd() *cobra.Command {
	c := cmd("backup FILE | DIR", "Copy the store into a file, while others use it", `Examples:
  stemma backup /media/stick/memory.db     made anew each time, once it is whole
  stemma backup /backups/                  a directory that is there: a file of its own each time
  stemma backup --project /backups --json

The copy is of one moment, is read over, and is on the disk when the command
ends. A file that is there is replaced only if it is an older backup of the same
store whose records are all in the new one.

Your keys are not in it, and neither are settings, remotes and receipts: copy
the directory that the command names, to another place than the backup. What is
purged later stays in the backups that were made before`)
	c.Args = cobra.ExactArgs(1)
	c.RunE = verbAs(a, func(ctx context.Context, in stemma.BackupRequest) (stemma.BackupReply, error) {
		e, err := a.openToRead(ctx)
		if err == nil && a.absent {
			err = stemma.Invalid("backup: there is no store to copy yet")
		}
		if err != nil {
			return stemma.BackupReply{}, err
		}
		return e.Backup(ctx, in)
	}, func(args []string) (stemma.BackupRequest, error) {
		to := a.path(args[0])
		if n := len(args[0]); n > 0 && os.IsPathSeparator(args[0][n-1]) && !os.IsPathSeparator(to[len(to)-1]) {
			to += string(filepath.Separator) // it says that this is a directory
		}
		return stemma.BackupRequest{To: to}, nil
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

func (a *app) showBackup(r stemma.BackupReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s: %s, %.1f MB\n", clean(r.File), count(int(r.Records), "record", "records"), float64(r.Bytes)/1e6)
	for _, s := range r.Spaces {
		fmt.Fprintf(w, "  %-8d %s  %s\n", s.Size, s.Root[:min(12, len(s.Root))], clean(s.Space))
	}
	a.hint("not in it: your keys, in %s; keep a copy of them too, in another place", r.Keys)
	return nil
}

func (a *app) restoreCmd() *cobra.Command {
	c := cmd("restore FILE", "Make the store out of a backup", `Examples:
  stemma restore /media/stick/memory.db              where no store is yet
  stemma restore /media/stick/memory.db --dry-run    what would be lost by it
  stemma restore /media/stick/memory.db --force      the store that is there is moved aside

What the backup has not is counted and said; nothing is deleted. Checkpoints that
others hold are compared: where the restored log does not lead to one, it says
so now and in every 'stemma audit'. 'stemma log check HELD' compares with one that
you kept, and 'stemma sync' brings back what was given to others.

With --force only a person may do it, at a terminal, and no other process may
have the store open`)
	var in stemma.RestoreRequest
	c.Flags().BoolVar(&in.Force, "force", false, "move a store that is there aside")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "only say what would be lost")
	c.MarkFlagsMutuallyExclusive("force", "dry-run")
	c.Args = cobra.ExactArgs(1)
	c.RunE = verbAs(a, a.restore, func(args []string) (stemma.RestoreRequest, error) {
		in.From = a.path(args[0])
		return in, nil
	}, a.showRestore)
	return a.single(c)
}

// restoreReply is what came of a restore, and where the keys are that go with it.
type restoreReply struct {
	stemma.RestoreReply
	Keys   string `json:"keys"`
	NoKeys bool   `json:"no_keys,omitempty"` // there are none there
}

func (a *app) restore(ctx context.Context, in stemma.RestoreRequest) (restoreReply, error) {
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
	c := stemma.Config{Data: filepath.Dir(reply.Keys), Cache: a.cacheDir(), Patience: a.patience, Origin: a.origin(), Purged: a.forgetWaiting}
	c.Receipts, _ = a.receiptsFiles(spec)
	reply.RestoreReply, err = stemma.Restore(ctx, spec, c, in)
	if err == nil && reply.Restored {
		err = a.restored(ctx, spec)
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
		if s.Status != stemma.LogOK {
			note = "  " + s.Status
		}
		fmt.Fprintf(w, "  %-8d %s  %s%s\n", s.Size, s.Root[:min(12, len(s.Root))], clean(s.Space), note)
	}
	a.showLoss(r.RestoreReply)
	if r.Aside != "" {
		a.hint("the store that was there is %s now; nothing of it was deleted", r.Aside)
	}
	switch {
	case r.NoKeys:
		a.hint("there are no keys in %s: put those back that the store was written with before anything is written, or new ones are made and speak for somebody else", r.Keys)
	case r.Restored:
		a.hint("compare it with a checkpoint that you kept elsewhere: 'stemma log check HELD'")
	}
	return nil
}

// showLoss says what the store had and the backup has not.
func (a *app) showLoss(r stemma.RestoreReply) {
	w := a.env.Stdout
	if r.Unread != "" {
		fmt.Fprintf(w, "the store that was there cannot be read, so what of it the backup lacks is not known: %s\n", line(r.Unread, 300))
	}
	if r.Lost > 0 {
		fmt.Fprintf(w, "not in the backup: %s (%s)\n", count(r.Lost, "record", "records"), line(kindsWords(r.Kinds), 300))
	}
	if r.Purges > 0 {
		fmt.Fprintf(w, "among them %s: the words that they removed come back, until they are purged again\n", count(r.Purges, "purge", "purges"))
	}
	for _, h := range r.Held {
		fmt.Fprintf(w, "%s: %s holds that %s had %s\n", h.Status, line(h.By, 100), clean(h.Space), count(int(h.Size), "record", "records"))
	}
}
