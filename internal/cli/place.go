package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// Names of what a store is made of on disk.
const (
	projectDir = ".stemma"
	storeFile  = "memory.db"
	keysDir    = "keys"
	appName    = "stemma"
)

// storeSpec finds the store: --store, STEMMA_STORE, the nearest .stemma from
// here upwards, the user's own.
func (a *app) storeSpec() (string, error) {
	if a.flags.user && a.flags.project {
		return "", fmt.Errorf("--user and --project: name one of the two")
	}
	if a.flags.store != "" {
		return a.flags.store, nil
	}
	if s := a.env.Getenv("STEMMA_STORE"); s != "" && !a.flags.user && !a.flags.project {
		return s, nil
	}
	if !a.flags.user {
		if dir, ok := a.nearestProject(); ok {
			return filepath.Join(dir, storeFile), nil
		}
		if a.flags.project {
			return "", fmt.Errorf("--project: there is no %s here or above; 'stemma init' makes one", projectDir)
		}
	}
	dir, err := a.dataDir()
	return filepath.Join(dir, storeFile), err
}

// nearestProject finds the .stemma directory nearest to where we are.
func (a *app) nearestProject() (string, bool) {
	for dir := a.env.Dir; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, projectDir)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

// keyDir is always the user's own: private keys never lie in a project.
func (a *app) keyDir() (string, error) {
	dir, err := a.dataDir()
	return filepath.Join(dir, keysDir), err
}

func (a *app) dataDir() (string, error) {
	if dir := a.env.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, appName), nil
	}
	if home := a.env.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", appName), nil
	}
	if dir := a.env.Getenv("LocalAppData"); dir != "" {
		return filepath.Join(dir, appName), nil
	}
	return "", fmt.Errorf("no place for your memory: set HOME, XDG_DATA_HOME or STEMMA_STORE")
}
