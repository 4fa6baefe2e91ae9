package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/shelves"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// inMemory is the spec of a store that goes with its process.
const inMemory = "mem"

func openStore(ctx context.Context, spec string, c Config) (store.Store, error) {
	if spec == inMemory {
		return memstore.Open(c.Now), nil
	}
	if c.Foreign { // nothing is made beside it
		return sqlstore.Peek(ctx, spec)
	}
	o := sqlstore.Options{Now: c.Now, ReadOnly: c.ReadOnly, Rand: c.Rand, Patience: c.Patience}
	if _, file := sqlitePath(spec); !file { // beside which there is no place
		o.Cache = c.Cache
	}
	return sqlstore.Open(ctx, spec, o)
}

// The names of two stores that are read together.
const (
	projectShelf = "project"
	userShelf    = "user"
)

// openBoth opens a store, and the one beside it if there is one.
func openBoth(ctx context.Context, spec string, c Config) (store.Store, error) {
	first, err := openStore(ctx, spec, c)
	if err != nil {
		return nil, err
	}
	if c.Beside == "" || c.Beside == spec {
		return behindDoor(first, spec, c), nil
	}
	if path, ok := sqlitePath(c.Beside); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return behindDoor(first, spec, c), nil
		}
	}
	second, err := openStore(ctx, c.Beside, c)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store beside it: %w", err), first.Close())
	}
	return shelves.Of(behindDoor(first, spec, c), behindDoor(second, c.Beside, c), projectShelf, userShelf), nil
}

// behindDoor gives a store whose records are verified when they are read. What was
// verified is remembered in the person's data directory, if there is one.
func behindDoor(s store.Store, spec string, c Config) store.Store {
	if c.Data == "" || c.Foreign || spec == inMemory {
		return door.Of(s, nil, c.Now)
	}
	book, err := bookOf(spec, c)
	d := door.Of(s, book, c.Now)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a reader makes no seal
		d.Distrust("what was verified before cannot be read: " + oneLine(err))
	}
	return d
}

// bookOf gives what is remembered of a store in the data directory.
func bookOf(spec string, c Config) (*proof.Book, error) {
	load := seal.Open
	if c.ReadOnly {
		load = seal.Load
	}
	s, err := load(c.Data)
	if err != nil {
		return nil, err
	}
	return proof.Open(c.Data, s, placeOf(spec)), nil
}

// forgetBook forgets what was verified of a store that another was put in place of:
// it is verified again when it is read.
func forgetBook(spec string, c Config) error {
	if c.Data == "" {
		return nil
	}
	if err := os.Remove(sweptFile(spec, c)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	book, err := bookOf(spec, c)
	if err != nil {
		return nil // nothing could be remembered
	}
	return book.Remove()
}

// placeOf names the place of a store in one way, however it was spelled.
func placeOf(spec string) string {
	path, ok := sqlitePath(spec)
	if !ok {
		return sqlstore.Address(spec)
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// sqlitePath gives the file that spec names, if it names one.
func sqlitePath(spec string) (string, bool) {
	if spec == inMemory || strings.HasPrefix(spec, "postgres:") || strings.HasPrefix(spec, "postgresql:") {
		return "", false
	}
	return strings.TrimPrefix(spec, "sqlite:"), true
}
