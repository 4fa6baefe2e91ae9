package core

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// OfNoProject reports whether a space is the reader's own that holds what an earlier version kept for all projects.
func (e *Core) OfNoProject(space string) bool {
	owner, name, _ := strings.Cut(space, "/")
	return e.C.Place != nil && e.NoSpace && name == DefaultSpace && e.isReader(owner, e.me())
}

// Elsewhere reports whether a person assigned a memory of no project to another project than the reader's: readings and
// comparisons here leave it out.
func (e *Core) Elsewhere(it *store.Item) bool {
	if it == nil || it.State.Project == "" {
		return false
	}
	_, not := e.Apart(it.Record, it.State.Project, "")
	return not
}

// inPlace reports whether a space is one of those that this place is made of: the project's, and the person's own.
func (e *Core) inPlace(space string) bool {
	owner, name, _ := strings.Cut(space, "/")
	at := e.C.Place
	return at != nil && (space == at.Here || e.isReader(owner, e.me()) &&
		(name == MeSpace || name == DefaultSpace || name == at.Here && name != "" || name == at.Own && name != ""))
}

// me returns the reader's principal, "" where it is not known yet.
func (e *Core) me() string {
	if own, err := e.KnownKeys(); err == nil && own != nil {
		return own.Principal
	}
	return ""
}

// ComparedSpaces returns the spaces with whose memories a new one of a space is compared: those of two projects are
// not compared, and what is of no project is compared with every project's.
func (e *Core) ComparedSpaces(space string) []string {
	owner, name, _ := strings.Cut(space, "/")
	if none := owner + "/" + DefaultSpace; name != DefaultSpace && e.OfNoProject(none) {
		return []string{space, none}
	} else if me := e.me(); me != "" && e.OfNoProject(me+"/"+DefaultSpace) && space == e.C.Place.Here {
		return []string{space, me + "/" + DefaultSpace}
	}
	return []string{space}
}

// Compares reports whether two memories may be compared: those of two projects may not.
func (e *Core) Compares(a, b *memory.Record) bool {
	x, y := a.Header.Space, b.Header.Space
	return x == y || slices.Contains(e.ComparedSpaces(x), y) || slices.Contains(e.ComparedSpaces(y), x)
}

// SpaceOfBoth returns the space of what is said of two memories: that of the older, or where it is of no project, that
// of the other.
func (e *Core) SpaceOfBoth(older, other *memory.Record) string {
	if e.OfNoProject(older.Header.Space) {
		return other.Header.Space
	}
	return older.Header.Space
}

// OtherProject reports whether a space is the reader's own, of a project that is not read here: what its links say of
// memories of no project is said there.
func (e *Core) OtherProject(space string) bool {
	owner, _, _ := strings.Cut(space, "/")
	return e.C.Place != nil && e.NoSpace && e.isReader(owner, e.me()) && !e.inPlace(space)
}

// SpaceInstead returns the space of what takes the place of a memory: the memory's, or where it is of no project, that
// in which new ones are written here.
func (e *Core) SpaceInstead(of *memory.Record) (string, error) {
	if space := of.Header.Space; !e.OfNoProject(space) {
		return space, nil
	}
	return e.SpaceOfNew(strings.Split(of.Header.Space, "/")[0], of.Header.Kind, of.Header.About)
}
