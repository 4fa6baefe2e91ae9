package stemma

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// inMemory is the spec of a store that goes with its process.
const inMemory = "mem"

func openStore(ctx context.Context, spec string, c Config) (store.Store, error) {
	if spec == inMemory {
		return memstore.Open(c.Now), nil
	}
	return sqlstore.Open(ctx, spec, sqlstore.Options{Now: c.Now, ReadOnly: c.ReadOnly})
}

// sqlitePath gives the file that spec names, if it names one.
func sqlitePath(spec string) (string, bool) {
	if spec == inMemory || strings.HasPrefix(spec, "postgres:") || strings.HasPrefix(spec, "postgresql:") {
		return "", false
	}
	return strings.TrimPrefix(spec, "sqlite:"), true
}
