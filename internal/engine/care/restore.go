package care

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Restore makes the store that spec names out of a backup. One that is there is
// left alone, or with Force, by the owner's voice, moved aside; what would be lost by it is said either
// way, and checkpoints of it that others hold are carried over, so that the
// restored store knows what it is behind.
func Restore(ctx context.Context, spec string, c core.Config, in api.RestoreRequest) (api.RestoreReply, error) {
	c.Fill()
	r := restoring{c: c, in: in, reply: api.RestoreReply{Spaces: []api.RestoreSpace{}}}
	path, ok := core.SQLitePath(spec)
	if !ok {
		return r.reply, core.Invalid(
			"the store is in PostgreSQL: restore it with pg_restore from what pg_dump wrote; afterwards " +
				"`check_log HELD` compares its log with a checkpoint you kept, and `doctor` reads all of it",
		)
	}
	if in.Force && c.Origin != memory.OriginOwner {
		return r.reply, &core.Failure{
			Kind: api.ErrForbidden,
			Text: "only a person may put a backup in the place of a store: run it yourself at a terminal, or move the " +
				"store aside by hand",
		}
	}
	err := r.run(ctx, path)
	return r.reply, core.Classify(err)
}

// restoring is one run of Restore.
type restoring struct {
	c     core.Config
	in    api.RestoreRequest
	reply api.RestoreReply
	gone  []*memory.Record // which the backup says were purged, and the store that was there had
}

func (r *restoring) run(ctx context.Context, path string) (err error) {
	if r.reply.File, err = filepath.Abs(path); err != nil {
		return err
	}
	if r.reply.From, err = filepath.Abs(r.in.From); err != nil {
		return err
	}
	info, err := os.Stat(r.reply.From)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return core.NotFound("there is no backup %s", r.reply.From)
	case err != nil:
		return err
	case info.IsDir():
		return core.Invalid("%s is a directory: name one of the backups in it", r.reply.From)
	case same(r.reply.From, r.reply.File):
		return core.Invalid("%s is the store itself", r.reply.From)
	}
	const dirMode = 0o700
	if err := os.MkdirAll(filepath.Dir(r.reply.File), dirMode); err != nil {
		return err
	}
	e := bare(&core.Core{Common: &core.Common{}, C: r.c})
	made, err := e.copied(ctx, r.reply.From, r.reply.File)
	if err != nil {
		return err
	}
	defer discard(made)
	if err := headOfToday(made, r.reply.File); err != nil {
		return err
	}
	_, err = os.Lstat(r.reply.File)
	there := err == nil
	if err := r.prepare(ctx, made, there); err != nil || r.in.DryRun {
		return err
	}
	if !there {
		if err = r.c.Databases.Install(ctx, made, r.reply.File); errors.Is(err, fs.ErrExist) {
			err = core.Conflict("%s was created meanwhile: nothing was restored", r.reply.File)
		}
		if r.reply.Restored = err == nil; err == nil {
			err = forgetBook(r.reply.File, r.c)
		}
		return err
	}
	if !r.in.Force {
		return core.Conflict(
			"there is a store at %s, and %s; to go on, restore with `force=true`, which moves it aside", r.reply.File,
			restoreReplyLoss(&r.reply),
		)
	}
	aside := unused(r.reply.File + ".replaced-" + r.c.Now().UTC().Format("20060102T150405Z"))
	err = r.c.Databases.MoveAside(
		ctx, r.reply.File, aside, func() error { return r.c.Databases.Install(ctx, made, r.reply.File) },
	)
	if errors.Is(err, store.ErrBusy) {
		return &core.Failure{
			Kind: api.ErrUnavailable,
			Text: fmt.Sprintf(
				"%s is open in another process: stop what uses it (a server, an agent), and restore then",
				r.reply.File,
			),
		}
	}
	if err == nil {
		r.reply.Aside, r.reply.Restored = aside, true
		err = errors.Join(forgetBook(r.reply.File, r.c), r.clear())
	}
	return err
}

// headOfToday gives a copy the head of the store that it replaces, where both have one key: the
// passphrase may be another since the backup was made.
func headOfToday(made, path string) error {
	was, err := atrest.ReadHead(made)
	if err != nil || was == nil {
		return err
	}
	now, err := atrest.ReadHead(path)
	if err != nil || now == nil || now.Name != was.Name || now.Generation <= was.Generation {
		return nil // what is there may be damaged: it is why one restores
	}
	return atrest.Rewrite(made, now)
}

// clear removes from the files around the store what a purge in the backup removed.
func (r *restoring) clear() error {
	if len(r.gone) == 0 {
		return nil
	}
	e := bare(&core.Core{Common: &core.Common{}, C: r.c})
	e.receipts.Given.File = journal.Open(r.c.Receipts, cmp.Or(r.c.Keep, receipts.KeepReceipts))
	return e.receipts.ClearAround(r.gone)
}

// purged returns the records that were purged in the backup and are still in the current
// store.
func (r *restoring) purged(ctx context.Context, old, b store.Database) error {
	ids, err := receipts.PurgedIn(ctx, b, nil)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(ids, core.ExportPage) {
		items, err := old.Get(ctx, part...)
		if err != nil {
			return err
		}
		for _, it := range items {
			if it != nil && it.Record != nil {
				r.gone = append(r.gone, it.Record)
			}
		}
	}
	return nil
}

// unused returns a name that no file has: this one, or with the first free number after it.
func unused(name string) string {
	free := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			return free // whatever keeps it from being looked at keeps it from being made
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// loss says in words what a restore takes away.
func restoreReplyLoss(r *api.RestoreReply) string {
	switch {
	case r.Unread != "":
		return "it cannot be read, so it is unknown what a restore would lose: " + r.Unread
	case r.Lost == 0:
		return "a restore would lose nothing of it"
	case r.Purges > 0:
		return fmt.Sprintf(
			"a restore would lose %s of it; among them are purges, %d: the words they removed would come back",
			core.Plural(r.Lost, "record"), r.Purges,
		)
	}
	return "a restore would lose " + core.Plural(r.Lost, "record") + " of it"
}

// prepare looks the copy over, compares it with the store that is there, and makes
// it a store that is no backup any more.
func (r *restoring) prepare(ctx context.Context, made string, there bool) (err error) {
	o := store.Options{Now: r.c.Now, Rand: r.c.Rand, Patience: r.c.Patience}
	b, err := r.c.Databases.Open(ctx, made, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if wrong := mended(ctx, b); wrong != nil {
		return fmt.Errorf("%s is damaged, and was not restored: %w", r.reply.From, wrong)
	}
	if r.reply.Store, err = b.StoreName(ctx); err != nil {
		return err
	}
	mark, err := b.Note(ctx, backupNote)
	if err != nil {
		return err
	}
	if r.reply.Made = string(mark); len(mark) > 0 {
		if err := b.SwapNote(ctx, backupNote, mark, nil); err != nil {
			return err
		}
	}
	if !there {
		return compareStores(ctx, nil, b, &r.reply)
	}
	o.ReadOnly = true
	old, err := r.c.Databases.Open(ctx, r.reply.File, o)
	if err == nil {
		err = errors.Join(r.compare(ctx, old, b), old.Close())
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	// a store that cannot be read is why one restores; that is said
	r.reply.Unread, r.reply.Spaces, r.reply.Records = core.OneLine(err), []api.RestoreSpace{}, 0
	return compareStores(ctx, nil, b, &r.reply)
}

func (r *restoring) compare(ctx context.Context, old, b store.Database) error {
	if err := compareStores(ctx, old, b, &r.reply); err != nil {
		return err
	}
	if err := r.purged(ctx, old, b); err != nil {
		return err
	}
	name, err := old.StoreName(ctx)
	if err != nil || name != r.reply.Store {
		return err // another store's logs, of which its witnesses say nothing here
	}
	for _, s := range r.reply.Spaces {
		held, err := old.Held(ctx, s.Space)
		if err != nil {
			return err
		}
		for _, c := range held {
			if c.By == "" {
				continue // no other store has it
			}
			if err := b.Hold(ctx, c); err != nil {
				return err
			}
			status, err := against(ctx, b, s.Space, s.Size, c.Size, c.Root)
			if err != nil {
				return err
			}
			if status != intake.LogOK {
				r.reply.Held = append(r.reply.Held, api.HeldCheckpoint{
					Space: s.Space, Size: c.Size, By: c.By, Status: status,
				})
			}
		}
	}
	return nil
}

// against compares a log of a size with what it was held to be.
func against(ctx context.Context, s store.Store, space string, have, size int64, root ledger.Hash) (string, error) {
	if size > have {
		return intake.LogBehind, nil
	}
	got, err := store.RootAt(
		size,
		func(after store.Seq, limit int) ([]store.Change, error) { return s.Since(ctx, space, after, limit) },
	)
	if err != nil || got == root {
		return intake.LogOK, err
	}
	return intake.LogRewritten, nil
}

// compareStores says what logs a store has, and what of an older one, nil for
// none, is not in it.
func compareStores(ctx context.Context, old, now store.Store, reply *api.RestoreReply) error {
	var names []string
	for _, s := range []store.Store{now, old} {
		if s == nil {
			continue
		}
		spaces, err := s.Spaces(ctx)
		if err != nil {
			return err
		}
		for _, sp := range spaces {
			if !slices.Contains(names, sp.Name) {
				names = append(names, sp.Name)
			}
		}
	}
	for _, name := range names {
		f, err := now.Tree(ctx, name)
		if err != nil {
			return err
		}
		one := api.RestoreSpace{Space: name, Size: f.Size(), Root: ledger.EncodeHash(f.Root()), Status: intake.LogOK}
		if old != nil {
			if err := restoreSpaceCompare(&one, ctx, old, now, f, reply); err != nil {
				return err
			}
		}
		reply.Records += one.Size
		reply.Lost += one.Lost
		reply.Spaces = append(reply.Spaces, one)
	}
	return nil
}

// compare counts what an older log has and the new one has not.
func restoreSpaceCompare(
	one *api.RestoreSpace, ctx context.Context, old, now store.Store, f ledger.Frontier, reply *api.RestoreReply,
) error {
	was, err := old.Tree(ctx, one.Space)
	if err != nil {
		return err
	}
	one.Had = was.Size()
	from := one.Size // the first place that may be lost
	if one.Had < one.Size {
		if one.Status, err = against(ctx, now, one.Space, one.Size, one.Had, was.Root()); err != nil ||
			one.Status == intake.LogOK {
			return err
		}
		from = 0
	} else if one.Status, err = against(ctx, old, one.Space, one.Had, one.Size, f.Root()); err != nil {
		return err
	} else if one.Status == intake.LogRewritten {
		from = 0
	}
	if one.Status == intake.LogOK && one.Had > one.Size {
		one.Status = intake.LogBehind
	}
	return restoreSpaceCount(one, ctx, old, now, store.Seq(from), reply)
}

func restoreSpaceCount(
	one *api.RestoreSpace, ctx context.Context, old, now store.Store, after store.Seq, reply *api.RestoreReply,
) error {
	for {
		page, err := old.Since(ctx, one.Space, after, core.ExportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		kept, err := now.Get(ctx, ids...)
		if err != nil {
			return err
		}
		items, err := old.Get(ctx, ids...)
		if err != nil {
			return err
		}
		for i, it := range items {
			if kept[i] != nil || it == nil {
				continue
			}
			one.Lost++
			if reply.Kinds == nil {
				reply.Kinds = make(map[string]int)
			}
			reply.Kinds[string(it.Ref.Kind)]++
			if it.Record == nil {
				continue
			}
			if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge {
				reply.Purges++
			}
		}
		after = page[len(page)-1].Seq
	}
}
