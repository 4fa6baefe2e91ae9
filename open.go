package stemma

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
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
	if err != nil || c.Beside == "" || c.Beside == spec {
		return first, err
	}
	if path, ok := sqlitePath(c.Beside); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return first, nil
		}
	}
	second, err := openStore(ctx, c.Beside, c)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store beside it: %w", err), first.Close())
	}
	return shelves.Of(first, second, projectShelf, userShelf), nil
}

// sqlitePath gives the file that spec names, if it names one.
func sqlitePath(spec string) (string, bool) {
	if spec == inMemory || strings.HasPrefix(spec, "postgres:") || strings.HasPrefix(spec, "postgresql:") {
		return "", false
	}
	return strings.TrimPrefix(spec, "sqlite:"), true
}
