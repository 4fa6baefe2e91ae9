package core

import (
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// DefaultSpace is the name of the space used when none is named.
const DefaultSpace = "main"

// AllSpaces as Config.Space reads every space of a store.
const AllSpaces = "*"

// InMemory is the spec of a store that goes with its process.
const InMemory = "mem"

// The names of two stores that are read together.
const (
	ProjectStore = "project"
	UserStore    = "user"
)

// PlaceOf names the place of a store in one way, however it was spelled.
func PlaceOf(spec string) string {
	path, ok := SQLitePath(spec)
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

// SQLitePath returns the file that spec names, if it names one.
func SQLitePath(spec string) (string, bool) {
	if spec == InMemory || strings.HasPrefix(spec, "postgres:") || strings.HasPrefix(spec, "postgresql:") {
		return "", false
	}
	return strings.TrimPrefix(spec, "sqlite:"), true
}
