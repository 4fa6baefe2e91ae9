package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
)

// backupNote is where a backup says that it is one, and when it was made.
const backupNote = "backup"

// Backup copies the store into a file while others read and write it, and looks
// the copy over. A file that is there is replaced only if it is an older backup of
// this store whose records are all in the new one. To is a file, or a directory in which
// each copy is a file of its own.
func (e *Care) Backup(ctx context.Context, to string) (api.BackupReply, error) {
	reply := api.BackupReply{
		Keys: e.C.KeyDir, At: e.C.Now().UTC().Truncate(time.Second), Spaces: []api.BackupSpace{},
	}
	s, ok := core.Inside(e.First()).(store.Database)
	switch {
	case !ok:
		return reply, core.Invalid("a store in memory cannot be backed up: `export` writes its records")
	case s.Path() == "":
		return reply, core.Invalid(
			"this store is in PostgreSQL: back it up with pg_dump, and restore with pg_restore; afterwards " +
				"`check_log HELD` compares its log with a checkpoint you kept, and `doctor` reads all of it. " +
				"`checkpoint out=HELD` makes one",
		)
	case to == "":
		return reply, core.Invalid("to: name the file or the directory that the backup goes to")
	}
	if err := e.FlushTouched(ctx); err != nil {
		return reply, err
	}
	var err error
	if reply.Store, err = s.StoreName(ctx); err != nil {
		return reply, core.Classify(err)
	}
	reply.File, err = filepath.Abs(to)
	if err != nil {
		return reply, err
	}
	info, err := os.Stat(reply.File)
	if last := to[len(to)-1]; os.IsPathSeparator(last) && (err != nil || !info.IsDir()) {
		return reply, core.Invalid(
			"there is no directory %s: make it first, or leave the last %c away to have a file of that name",
			reply.File, last,
		)
	}
	if err == nil && info.IsDir() {
		reply.File = filepath.Join(
			reply.File,
			fmt.Sprintf("stemma-%s-%s.db", reply.Store[:min(8, len(reply.Store))], reply.At.Format("20060102T150405Z")),
		)
	}
	if same(reply.File, s.Path()) {
		return reply, core.Invalid("%s is the store itself: a backup is another file, best on another disk", reply.File)
	}
	// who may write nothing there has no purge on this machine either
	_ = e.NoteCopy(core.Copy{Store: reply.Store, File: reply.File, At: reply.At})
	made, err := e.copied(ctx, s.Path(), reply.File)
	if err != nil {
		return reply, core.Classify(err)
	}
	defer discard(made)
	if err := e.lookOver(ctx, made, &reply); err != nil {
		return reply, core.Classify(err)
	}
	return reply, core.Classify(e.keepBackup(ctx, made, &reply))
}

// copied makes a copy next to its final place, and removes the remains of interrupted copies.
func (e *Care) copied(ctx context.Context, from, to string) (string, error) {
	in, err := databases(e.C)
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(to)
	old, err := filepath.Glob(filepath.Join(dir, core.HalfMade+"*"))
	if err != nil {
		return "", err
	}
	for _, path := range old {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
			discard(path)
		}
	}
	f, err := os.CreateTemp(dir, core.HalfMade+"*")
	if err != nil {
		return "", core.Invalid("nothing can be written beside %s: %v", to, err)
	}
	if err = f.Close(); err == nil {
		err = in.Copy(ctx, from, f.Name())
	}
	if err != nil {
		discard(f.Name())
	}
	return f.Name(), err
}

// discard takes away a copy that was not finished.
func discard(path string) {
	for _, end := range []string{"", "-journal", "-wal", "-shm"} {
		_ = os.Remove(path + end) // the next backup removes the rest
	}
}

// lookOver reads all of a copy, says what its logs are and marks it as a backup.
func (e *Care) lookOver(ctx context.Context, made string, reply *api.BackupReply) (err error) {
	b, err := e.C.Databases.Open(ctx, made, store.Options{Now: e.C.Now, Rand: e.C.Rand, Patience: e.C.Patience})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	wrong := b.Whole(ctx, nil)
	if errors.Is(wrong, store.ErrDerived) {
		wrong = mended(ctx, b)
	}
	if wrong != nil {
		return fmt.Errorf("the copy is not a sound store and was deleted: %w; `doctor` shows more", wrong)
	}
	if err := e.backedUp(ctx, b, reply); err != nil {
		return err
	}
	at, err := reply.At.MarshalText()
	if err != nil {
		return err
	}
	was, err := b.Note(ctx, backupNote)
	if err != nil {
		return err
	}
	return b.SwapNote(ctx, backupNote, was, at)
}

// mended checks a copy. Damaged derived data is derived again in it: such damage must not
// prevent a backup.
func mended(ctx context.Context, b store.Database) error {
	for try := 0; ; try++ {
		var wrong error
		for err := range b.Check(ctx) {
			if wrong = err; try > 0 || !errors.Is(err, store.ErrDerived) {
				return err
			}
		}
		if wrong == nil {
			return nil
		}
		if _, err := b.Repair(ctx, nil); err != nil {
			return errors.Join(wrong, err)
		}
	}
}

// backedUp says what the logs of a copy are, signed where they are the owner's.
func (e *Care) backedUp(ctx context.Context, b store.Store, reply *api.BackupReply) error {
	spaces, err := b.Spaces(ctx)
	if err != nil {
		return err
	}
	for _, sp := range spaces {
		f, err := b.Tree(ctx, sp.Name)
		if err != nil {
			return err
		}
		one := api.BackupSpace{Space: sp.Name, Size: f.Size(), Root: ledger.EncodeHash(f.Root())}
		reply.Records += f.Size()
		if own, err := e.intake.OwnLog(ctx, sp.Name); err == nil && own && f.Size() > 0 {
			me, err := e.OwnKeys()
			if err != nil {
				return err
			}
			c := ledger.Checkpoint{Origin: "stemma/" + reply.Store + "/" + sp.Name, Size: f.Size(), Root: f.Root()}
			signer, err := me.Agent.NoteSigner(c.Origin)
			if err != nil {
				return err
			}
			raw, err := ledger.Sign(c, signer)
			if err != nil {
				return err
			}
			one.Note = string(raw)
		}
		reply.Spaces = append(reply.Spaces, one)
	}
	return nil
}

// keepBackup names a copy.
func (e *Care) keepBackup(ctx context.Context, made string, reply *api.BackupReply) error {
	_, err := os.Lstat(reply.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = durable.Place(made, reply.File)
		if errors.Is(err, fs.ErrExist) {
			err = core.Conflict("%s: another process made it at the same time", reply.File)
		}
	case err == nil:
		if err = e.older(ctx, reply.File, made, reply); err == nil {
			reply.Replaced = true
			err = os.Rename(made, reply.File)
		}
	}
	if err == nil {
		err = durable.Flush(reply.File)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(reply.File)
	if err == nil {
		reply.Bytes = info.Size()
	}
	return err
}

// older refuses to replace a file that is no backup of this store, or one with
// records that the new one has not.
func (e *Care) older(ctx context.Context, path, made string, reply *api.BackupReply) error {
	old, err := e.C.Databases.Open(ctx, path, store.Options{ReadOnly: true, Now: e.C.Now, Patience: e.C.Patience})
	if err != nil {
		return core.Conflict(
			"%s is there already and is no backup that can be read (%s): name another file", path,
			core.OneLine(err),
		)
	}
	defer old.Close() // it was only read
	mark, err := old.Note(ctx, backupNote)
	if err != nil {
		return err
	}
	name, err := old.StoreName(ctx)
	if err != nil {
		return err
	}
	if len(mark) == 0 || name != reply.Store {
		return core.Conflict("%s exists already and is not a backup of this store: name another file", path)
	}
	fresh, err := e.C.Databases.Open(ctx, made, store.Options{ReadOnly: true, Now: e.C.Now, Patience: e.C.Patience})
	if err != nil {
		return err
	}
	defer fresh.Close()
	var r api.RestoreReply
	if err := compareStores(ctx, old, fresh, &r); err != nil {
		return err
	}
	if r.Lost > 0 {
		return core.Conflict(
			"%s, a backup of %s, holds %s that this store has not: keep it, and name another file", path,
			strings.TrimSpace(string(mark)), core.Plural(r.Lost, "record"),
		)
	}
	return nil
}

// same reports whether two paths are of one file.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// BackupsMade returns the backups of the store that were made on this machine and are still there.
func (e *Care) BackupsMade(ctx context.Context) (files []string) {
	s, ok := core.Inside(e.First()).(store.Database)
	if !ok {
		return nil
	}
	name, err := s.StoreName(ctx)
	if err != nil {
		return nil
	}
	for _, c := range e.Copies(name) {
		if _, err := os.Lstat(c.File); err == nil {
			files = append(files, c.File)
		}
	}
	return files
}
