package cli

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Names of what a store is made of on disk.
const (
	projectDir = ".stemma"
	storeFile  = "memory.db"
	configFile = "config.toml"
	keysDir    = "keys"
	appName    = "stemma"
)

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
	// a program without a home, such as one in a container, keeps what is the person's beside the store that it is given
	if spec := a.env.Getenv("STEMMA_STORE"); spec != "" && !strings.Contains(spec, "://") {
		path, err := a.expanded("STEMMA_STORE", spec)
		if err != nil {
			return "", err
		}
		path, err = filepath.Abs(strings.TrimPrefix(path, "sqlite:"))
		return filepath.Join(filepath.Dir(path), besideStore), err
	}
	return "", fmt.Errorf("no directory for your store; set HOME, XDG_DATA_HOME or STEMMA_STORE")
}

// besideStore is the data directory of a program without a home.
const besideStore = ".stemma-data"

// cacheDir is for what can be computed again; "" where there is no place.
func (a *app) cacheDir() string {
	for _, d := range []struct{ env, under string }{{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"},
		{"LocalAppData", "cache"}} {
		if dir := a.env.Getenv(d.env); filepath.IsAbs(dir) {
			return filepath.Join(dir, d.under, appName)
		}
	}
	return ""
}

// keyDir is always the user's own: private keys never lie in a project.
func (a *app) keyDir() (string, error) {
	dir, err := a.dataDir()
	return filepath.Join(dir, keysDir), err
}

// serverDir holds the tokens of the user's servers, and where they run.
func (a *app) serverDir() (string, error) {
	dir, err := a.dataDir()
	return filepath.Join(dir, "server"), err
}
