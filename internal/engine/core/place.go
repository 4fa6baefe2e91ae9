package core

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// DefaultSpace is the name of the space used when none is named.
const DefaultSpace = "main"

// MeSpace is the name of the space of what is about the person, and of what they say outside any project. It
// is read in all of their projects and shared with nobody.
const MeSpace = "me"

// AllSpaces as Config.Space reads every space of a store.
const AllSpaces = "*"

// A Place is where somebody works who named no space: Config.Space follows from it.
type Place struct {
	Here      string   // the space in which the project's memories are written; "" is outside any
	Own       string   // the project's own, which is read too where a person bound it to another
	Elsewhere []string // spaces of other projects: full names, or local ones of the reader's own
}

// Apart reports whether a space, by its local or its full name, is one of another project.
func (p *Place) Apart(space string) bool {
	_, name, _ := strings.Cut(space, "/")
	return p != nil && space != "" && slices.ContainsFunc(p.Elsewhere, func(other string) bool {
		_, local, full := strings.Cut(other, "/")
		return other == space || other == name || full && local == space
	})
}

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
		return store.Address(spec)
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
