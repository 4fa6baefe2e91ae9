package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/memstore"
)

// databases returns what opens stores that are not in memory.
func databases(c core.Config) (store.Databases, error) {
	if c.Databases == nil {
		return nil, core.Invalid("this program opens stores in memory alone: their name is %q", core.InMemory)
	}
	return c.Databases, nil
}

func openStore(ctx context.Context, spec string, c core.Config) (store.Store, error) {
	if spec == core.InMemory {
		return memstore.Open(c.Now), nil
	}
	in, err := databases(c)
	if err != nil {
		return nil, err
	}
	if c.Foreign { // no file is made next to it
		return in.Peek(ctx, spec)
	}
	o := store.Options{Now: c.Now, ReadOnly: c.ReadOnly, Rand: c.Rand, Patience: c.Patience}
	if _, file := core.SQLitePath(spec); !file { // it has no directory for one
		o.Cache = c.Cache
	}
	return in.Open(ctx, spec, o)
}

// OpenBoth opens a store, and the second store if there is one.
func OpenBoth(ctx context.Context, spec string, c core.Config) (store.Store, error) {
	first, err := openStore(ctx, spec, c)
	if err != nil {
		return nil, err
	}
	if c.SecondStore == "" || c.SecondStore == spec {
		return behindDoor(first, spec, c), nil
	}
	if path, ok := core.SQLitePath(c.SecondStore); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return behindDoor(first, spec, c), nil
		}
	}
	second, err := openStore(ctx, c.SecondStore, c)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store beside it: %w", err), first.Close())
	}
	return both.Of(
		behindDoor(first, spec, c),
		behindDoor(second, c.SecondStore, c),
		core.ProjectStore,
		core.UserStore,
	), nil
}

// behindDoor returns a store whose records are verified when they are read. What was
// verified is remembered in the person's data directory, if there is one.
func behindDoor(s store.Store, spec string, c core.Config) store.Store {
	if c.Data == "" || c.Foreign || spec == core.InMemory {
		return door.Of(s, nil, c.Now)
	}
	book, err := bookOf(spec, c)
	d := door.Of(s, book, c.Now)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a reader makes no seal
		d.Distrust("what was verified before cannot be read: " + core.OneLine(err))
	}
	return d
}

// bookOf returns the verification record of a store in the data directory.
func bookOf(spec string, c core.Config) (*proof.Book, error) {
	load := seal.Open
	if c.ReadOnly {
		load = seal.Load
	}
	s, err := load(c.Data)
	if err != nil {
		return nil, err
	}
	return proof.Open(c.Data, s, core.PlaceOf(spec)), nil
}

// forgetBook forgets what was verified of a store that another was put in place of:
// it is verified again when it is read.
func forgetBook(spec string, c core.Config) error {
	if c.Data == "" {
		return nil
	}
	if err := os.Remove(receipts.SweptFile(spec, c)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	book, err := bookOf(spec, c)
	if err != nil {
		return nil // nothing could be remembered
	}
	return book.Remove()
}
