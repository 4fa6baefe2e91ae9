package cli

import (
	"context"
	"os"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/memory"
)

// The setting that lets agents read all projects, and its value that does.
const (
	everywhereKey = "spaces.everywhere"
	agentsToo     = "agents"
)

// inPlace chooses the space. Without a named space it is that of the project that this is in, and outside any
// project the person's own.
func (a *app) inPlace(ctx context.Context, c *engine.Config) error {
	place, err := a.placeHere(ctx)
	if err != nil {
		return err
	}
	named := a.spaceNamed()
	if named == engine.AllSpaces || place.Apart(named) {
		if err := a.mayReadOthers(); err != nil {
			return err
		}
	}
	if named != "" && named != engine.AllSpaces {
		c.Space = named
		return nil
	}
	c.Place = place
	if c.Space = named; named == "" {
		c.Space = or(place.Here, engine.MeSpace)
	}
	return nil
}

// spaceNamed is the space that was named, "" for none.
func (a *app) spaceNamed() string {
	if a.flags.everywhere {
		return engine.AllSpaces
	}
	return or(a.flags.space, a.env.Getenv("STEMMA_SPACE"))
}

// mayReadOthers refuses to give an agent other projects, unless the person allows it.
func (a *app) mayReadOthers() error {
	if a.origin() == memory.OriginOwner {
		return nil
	}
	set, err := a.settings()
	if err != nil || set.Get(everywhereKey) == agentsToo {
		return err
	}
	return onlyPerson{"an agent reads this project and what is the person's; only a person reads others, or allows it: " +
		"stemma config set " + everywhereKey + " agents"}
}

// placeHere is where we are, for an engine whose space follows from it.
func (a *app) placeHere(ctx context.Context) (*engine.Place, error) {
	here, err := a.here(ctx)
	if err != nil {
		return nil, err
	}
	place := &engine.Place{Here: here.InUse(), Own: here.Space}
	data, err := a.dataDir()
	if err != nil {
		return nil, err
	}
	book, err := project.Read(data)
	if err != nil {
		return place, nil // it was said
	}
	place.Elsewhere = project.Spaces(book.Projects, place.Here, place.Own)
	return place, nil
}

// knownProjects are those that the list of projects has. What is wrong with it was said when it was read first.
func (a *app) knownProjects() []project.Project {
	data, err := a.dataDir()
	if err != nil {
		return nil
	}
	book, err := project.Read(data)
	if err != nil {
		return nil
	}
	return book.Projects
}

// here is the project that this is in, an empty one outside any. What is wrong with the list of projects is said, and
// loses nothing: the space follows from the repository itself.
func (a *app) here(ctx context.Context) (project.Project, error) {
	if a.hereOf == a.env.Dir && a.hereOf != "" && (a.hereKept || !a.writes) {
		return a.hereIs, nil
	}
	data, err := a.dataDir()
	if err != nil {
		return project.Project{}, err
	}
	home := a.env.Getenv("HOME")
	write := a.writes
	if a.hooked && !write {
		_, err := os.Stat(data)
		write = err == nil // where a person has nothing yet, what only reads makes nothing
	}
	p, _, err := project.Here(ctx, data, a.env.Dir, home, "", write)
	if err != nil {
		a.hint("warning: %v", err)
		if id, ok := project.Of(ctx, a.env.Dir, home); ok && p.Space == "" {
			p = project.Project{Space: id.Space(""), Name: id.Name}
		}
	}
	a.hereOf, a.hereIs, a.hereKept = a.env.Dir, p, write
	return p, nil
}
