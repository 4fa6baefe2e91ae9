package cli

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/memory"
)

// settings reads the settings, and prints once which were ignored.
func (a *app) settings() (*settings.Settings, error) {
	if a.set != nil {
		return a.set, nil
	}
	project, user := a.configFiles()
	c, err := a.confirmed(user, false)
	if err != nil {
		a.hint("warning: %v", err)
	}
	guard := settings.Guard{User: c, Agent: a.guarded()}
	if data, err := a.dataDir(); project != "" && err == nil {
		if guard.Project, err = settings.OpenProject(data, project); err != nil {
			a.hint("warning: %v", err)
		}
	}
	set, err := settings.LoadGuarded(project, user, a.env.Getenv, guard)
	if err != nil {
		return nil, api.Invalid("settings: %v", err)
	}
	a.set = set
	a.warn(set.Warnings)
	return set, nil
}

// guarded reports whether what is a person's to set must come from them: there is an
// owner here, and this is another program. Where there is no owner yet, as in a
// container that is being made, whoever is there sets it.
func (a *app) guarded() bool {
	keyDir, err := a.keyDir()
	return err == nil && a.origin() != memory.OriginOwner && hasKeys(keyDir)
}

// confirmed returns what a person confirmed in their file of settings. Where that cannot
// be kept yet there is none, and the file is in force as it is.
func (a *app) confirmed(user string, make bool) (*settings.Confirmed, error) {
	data, err := a.dataDir()
	if err != nil {
		return nil, nil
	}
	c, err := settings.OpenConfirmed(data, user, make)
	if c == nil && !make {
		err = nil // nothing can be written there
	}
	return c, err
}
