package core

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What is read where no space is named.
const (
	ReadTeam = "team" // the space in use, and the spaces that were joined, or that one shares with others
	ReadMine = "mine" // the space in use, of those that one began or owns now
)

// CheckReadSpaces returns an error for a choice of spaces that there is not.
func CheckReadSpaces(choice string) error {
	if choice == "" || choice == ReadTeam || choice == ReadMine {
		return nil
	}
	for _, name := range strings.Split(choice, ",") {
		if err := CheckSpace(strings.TrimSpace(name)); err != nil {
			return Invalid("spaces: want team, mine or names of spaces separated by commas, got %q", shorten.To(choice, 80))
		}
	}
	return nil
}

// sharedNote begins the name of a note that a space of one's own has other members.
const sharedNote = "shared/"

// NoteShared remembers that a space has other members, so that it is read as the team's.
func (e *Core) NoteShared(ctx context.Context, space string) error {
	s := e.First()
	was, err := s.Note(ctx, sharedNote+space)
	if err != nil || was != nil {
		return Classify(err)
	}
	if err = s.SwapNote(ctx, sharedNote+space, nil, []byte("1")); errors.Is(err, store.ErrConflict) {
		err = nil // another process was faster
	}
	return Classify(err)
}

// NamedSpaces returns the spaces of the store that Config.Space names. None means that nothing was
// ever written there. It is for what acts on memories; ReadSpaces is for what shows them.
func (e *Core) NamedSpaces(ctx context.Context) ([]string, error) { return e.spaces(ctx, e.InUse) }

// InUse reports whether a space is one that Config.Space names. If no space was named, what is the person's own
// counts with it, and what an earlier version kept for all projects.
func (e *Core) InUse(space string) bool {
	owner, name, _ := strings.Cut(space, "/")
	switch {
	case e.C.Space == AllSpaces || e.C.Space == space || e.C.Space == name:
		return true
	case !e.NoSpace:
		return false
	case e.C.Place != nil && name == DefaultSpace:
		return true
	}
	if name != MeSpace && (e.C.Place == nil || name != e.C.Place.Own) {
		return false
	}
	own, err := e.KnownKeys()
	return err != nil || own == nil || e.isReader(owner, own.Principal)
}

// isReader reports whether an owner of spaces is the reader. In the store of a stranger it is the stranger.
func (e *Core) isReader(owner, me string) bool { return me == "" || e.C.Foreign || owner == me }

// ReadSpaces returns the spaces of the store that are read: those that were named, or where none
// was, what Config.ReadSpaces says.
func (e *Core) ReadSpaces(ctx context.Context) ([]string, error) {
	reads, err := e.Reads(ctx)
	if err != nil {
		return nil, err
	}
	return e.spaces(ctx, reads)
}

func (e *Core) spaces(ctx context.Context, chosen func(string) bool) ([]string, error) {
	all, err := e.Read(ctx).Spaces()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range all {
		if chosen(s.Name) {
			names = append(names, s.Name)
		}
	}
	return names, nil
}

// A Filled is a space of the store that has memories.
type Filled struct {
	Space string
	Mine  bool // the reader is its owner
}

// FilledSpaces returns the spaces of the store that have memories, also those that are not read.
func (e *Core) FilledSpaces(ctx context.Context) ([]Filled, error) {
	all, err := e.spaces(ctx, func(string) bool { return true })
	if err != nil {
		return nil, Classify(err)
	}
	me := ""
	if own, err := e.KnownKeys(); err == nil && own != nil {
		me = own.Principal
	}
	var out []Filled
	for _, space := range all {
		for it, err := range e.Store.List(ctx, store.Query{Spaces: []string{space}, Kinds: memory.Memories(), Limit: 1}) {
			if err != nil {
				return nil, Classify(err)
			}
			if it != nil {
				out = append(out, Filled{space, e.isReader(store.OwnerOf(space), me)})
			}
		}
	}
	return out, nil
}

// Reads returns what says whether a space is one of those that are read.
func (e *Core) Reads(ctx context.Context) (func(space string) bool, error) {
	if !e.NoSpace {
		return e.InUse, nil
	}
	me := ""
	own, err := e.KnownKeys()
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err == nil && own != nil:
		me = own.Principal
	}
	choice := Or(e.C.ReadSpaces, ReadTeam)
	if choice == ReadTeam {
		joined, err := e.team(ctx, me)
		return func(space string) bool { return e.InUse(space) || joined[space] && e.here(space) }, err
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	mine := func(space string) bool { // who handed a space over still writes in it, so it stays in use
		owner, _ := ring.Owner(space)
		return me == "" || owner == me || store.OwnerOf(space) == me
	}
	switch choice {
	case ReadMine:
		return func(space string) bool { return e.InUse(space) && mine(space) }, nil
	default:
		var names []string
		for _, name := range strings.Split(choice, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		return func(space string) bool {
			_, name, _ := strings.Cut(space, "/")
			return e.C.Place != nil && e.InUse(space) || slices.Contains(names, AllSpaces) || slices.Contains(names, space) ||
				mine(space) && slices.Contains(names, name)
		}, nil
	}
}

// here reports whether a shared space is read where the caller is: one of another project is not, nor what another
// person keeps of their copy of another project.
func (e *Core) here(space string) bool {
	at := e.C.Place
	_, name, _ := strings.Cut(space, "/")
	return at == nil || sameProject(at.Own, name) || !slices.ContainsFunc(at.Elsewhere, func(other string) bool {
		return other == space || sameProject(other, name)
	})
}

// sameProject reports whether the names of two spaces are those of one project, which both end with.
func sameProject(a, b string) bool {
	const mark = len("-01234567")
	if a == b || len(a) < mark || len(b) < mark {
		return a == b && a != ""
	}
	end := a[len(a)-mark:]
	return end[0] == '-' && strings.HasSuffix(b, end)
}

// Apart names the project that a record is of where it is another than the reader's: "of no project", "of project x".
// It is "" for what is the reader's here, and where a space was named. Assigned is the project that a person assigned
// it to. Not is whether a reading leaves it out for that.
func (e *Core) Apart(r *memory.Record, assigned, me string) (of string, not bool) {
	if e.C.Place == nil || r == nil {
		return "", false
	}
	owner, name, _ := strings.Cut(r.Header.Space, "/")
	switch {
	case assigned == "" || name != DefaultSpace:
	case assigned == e.C.Place.Own || assigned == e.C.Place.Here:
		return "", false
	default:
		return "of project " + assigned, e.NoSpace
	}
	switch here := e.C.Place; {
	case r.Header.Space == here.Here || name == here.Here || name == here.Own, name == MeSpace, !e.isReader(owner, me):
		return "", false
	case name == DefaultSpace:
		return "of no project", false
	default:
		return "of project " + name, false
	}
}

// team returns the spaces of others that a remote exchanges, and one's own that have members.
func (e *Core) team(ctx context.Context, me string) (map[string]bool, error) {
	out, err := e.Shared(ctx)
	if err != nil {
		return nil, err
	}
	for space := range out {
		if me == "" || store.OwnerOf(space) == me {
			delete(out, space)
		}
	}
	for _, s := range e.stores() {
		names, err := s.NoteNames(ctx, sharedNote)
		if err != nil {
			return nil, Classify(err)
		}
		for _, name := range names {
			out[strings.TrimPrefix(name, sharedNote)] = true
		}
	}
	return out, nil
}
