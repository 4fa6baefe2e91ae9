package core

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// At makes a caller read the store as it is where they work: what a project put in the place of a memory of no project
// is replaced there, and only there.
func At(e *Core) *Core {
	e.Store = Plain(e.Store)
	if e.C.Place != nil && e.NoSpace {
		e.Store = &placed{e.Store, e}
	}
	return e
}

// Plain returns a store as all callers read it.
func Plain(s store.Store) store.Store {
	if p, ok := s.(*placed); ok {
		return p.Store
	}
	return s
}

// placed is a store as it is read in a place.
type placed struct {
	store.Store
	e *Core
}

// Get returns items as they are in this place.
func (p *placed) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	items, err := p.Store.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if err := p.here(ctx, it); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// List leaves out what was replaced in this place, unless what is hidden is asked for.
func (p *placed) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		all := q
		all.Limit = 0
		given := 0
		for it, err := range p.Store.List(ctx, all) {
			if err == nil {
				err = p.here(ctx, it)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !q.Hidden && !it.State.Live() {
				continue
			}
			if given++; !yield(it, nil) || given == q.Limit {
				return
			}
		}
	}
}

// here folds a memory of no project again, with the links of the spaces that are read in this place.
func (p *placed) here(ctx context.Context, it *store.Item) error {
	if it == nil || it.Record == nil || it.Doubt == store.Forged || it.State.Links == 0 || !it.Ref.Kind.IsMemory() ||
		!p.e.OfNoProject(it.Record.Header.Space) {
		return nil
	}
	ring, err := p.Keyring(ctx)
	if err != nil {
		return err
	}
	at := p.e.C.Now()
	past := &past{
		ctx: ctx, s: p.Store, at: at, known: map[memory.ID]*store.Item{it.Ref.ID: it}, ring: ring, reads: p.e.inPlace,
	}
	s, err := store.Current(past, it.Record, at)
	it.State.SupersededBy = s.SupersededBy
	return err
}

// OfNoProject reports whether a space is the reader's own that holds what an earlier version kept for all projects.
func (e *Core) OfNoProject(space string) bool {
	owner, name, _ := strings.Cut(space, "/")
	return e.C.Place != nil && e.NoSpace && name == DefaultSpace && e.isReader(owner, e.me())
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
