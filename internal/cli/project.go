package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine"
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

// here is the space of the project that this is in, "" outside any.
func (a *app) here(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", a.env.Dir, "rev-parse", "--git-common-dir").Output()
	if err != nil {
		return "", nil
	}
	dir := strings.TrimSpace(string(out))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.Dir, dir)
	}
	sum := sha256.Sum256([]byte(dir))
	return strings.ToLower(filepath.Base(filepath.Dir(dir))) + "-" + hex.EncodeToString(sum[:4]), nil
}
