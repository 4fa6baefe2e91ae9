package cli

import (
	"context"
	"os"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/memory"
)

// everywhereKey is the setting that lets agents read all projects.
const everywhereKey = "spaces.everywhere"

// inPlace chooses the space. Where nobody named one it is that of the project that this is in, and outside any
// project the person's own.
func (a *app) inPlace(ctx context.Context, c *engine.Config) error {
	if err := a.mayRead(); err != nil {
		return err
	}
	named := a.spaceNamed()
	if named != "" && named != engine.AllSpaces {
		c.Space = named
		return nil
	}
	here, err := a.here(ctx)
	if err != nil {
		return err
	}
	c.Place = &engine.Place{Here: here}
	if c.Space = named; named == "" {
		c.Space = or(here, engine.MeSpace)
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

// mayRead refuses to give an agent all projects, unless the person allows it.
func (a *app) mayRead() error {
	if a.spaceNamed() != engine.AllSpaces || a.origin() == memory.OriginOwner {
		return nil
	}
	set, err := a.settings()
	if err != nil || set.Get(everywhereKey) == "agents" {
		return err
	}
	return onlyPerson{"an agent reads this project and what is the person's; only a person reads all, or allows it: " +
		"stemma config set " + everywhereKey + " agents"}
}

// spaceHere is the space that what happens here belongs to, however long it waits to be taken in: "" is a service's.
func (a *app) spaceHere(ctx context.Context) (string, error) {
	if service, err := a.service(); service != nil || err != nil {
		return "", err
	}
	if named := a.spaceNamed(); named != "" && named != engine.AllSpaces {
		return named, nil
	}
	here, err := a.here(ctx)
	return or(here, engine.MeSpace), err
}

// here is the space of the project that this is in, "" outside any. What is wrong with the list of projects is said, and
// loses nothing: the space follows from the repository itself.
func (a *app) here(ctx context.Context) (string, error) {
	if a.hereOf == a.env.Dir && a.hereOf != "" && (a.hereKept || !a.writes) {
		return a.hereSpace, nil
	}
	data, err := a.dataDir()
	if err != nil {
		return "", err
	}
	home := a.env.Getenv("HOME")
	write := a.writes
	if a.hooked && !write {
		_, err := os.Stat(data)
		write = err == nil // where a person has nothing yet, what only reads makes nothing
	}
	space, _, err := project.Space(ctx, data, a.env.Dir, home, "", write)
	if err != nil {
		a.hint("warning: %v", err)
		if id, ok := project.Of(ctx, a.env.Dir, home); ok && space == "" {
			space = id.Space("")
		}
	}
	a.hereOf, a.hereSpace, a.hereKept = a.env.Dir, space, write
	return space, nil
}
