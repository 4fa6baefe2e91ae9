package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// storeSpec finds the store: --store, STEMMA_STORE, the nearest .stemma from
// here upwards, the user's own.
func (a *app) storeSpec() (string, error) {
	if a.flags.user && a.flags.project {
		return "", api.Invalid("--user and --project do not go together")
	}
	if a.flags.store != "" {
		return a.flags.store, nil
	}
	if s := a.env.Getenv("STEMMA_STORE"); s != "" && !a.flags.user && !a.flags.project {
		return a.expanded("STEMMA_STORE", s)
	}
	if !a.flags.user {
		if dir, ok := a.nearestProject(); ok {
			return filepath.Join(dir, storeFile), nil
		}
		if a.flags.project {
			return "", a.noProject()
		}
	}
	dir, err := a.dataDir()
	return filepath.Join(dir, storeFile), err
}

// secondSpec returns the person's own store, where a project's was found by where
// we are and no place was named.
func (a *app) secondSpec(spec string) (string, error) {
	if a.flags.store != "" || a.flags.user || a.flags.project || a.env.Getenv("STEMMA_STORE") != "" {
		return "", nil
	}
	dir, err := a.dataDir()
	if err != nil {
		return "", nil // there is none
	}
	own := filepath.Join(dir, storeFile)
	if own == spec {
		return "", nil
	}
	if w := a.ownership(own); w.ownerState == strange {
		a.passedBy(w)
		return "", nil
	}
	return own, nil
}

// noProject says that there is no project's store that could be used here.
func (a *app) noProject() error {
	if text := a.notice(); text != "" {
		return notYours{"--project: " + text}
	}
	return api.Invalid("--project: no %s here or above; to create one: stemma init", projectDir)
}

// projectRoot is where the nearest .stemma is: the root of code refs outside git.
func (a *app) projectRoot() string {
	dir, ok := a.nearestProject()
	switch {
	case ok && a.worktree != "":
		return a.worktree
	case ok:
		return filepath.Dir(dir)
	}
	return ""
}

// receiptsFiles are the person's own, one for all stores, and the one that an earlier
// version kept of this store alone: beside it, or for one on a server among the
// person's own files.
func (a *app) receiptsFiles(spec string) (file, earlier string) {
	const name = "receipts.jsonl"
	dir, err := a.dataDir()
	if err != nil || spec == "mem" {
		return "", ""
	}
	file = filepath.Join(dir, name)
	if strings.Contains(spec, "://") {
		sum := sha256.Sum256([]byte(spec))
		return file, filepath.Join(dir, "receipts-"+hex.EncodeToString(sum[:8])+".jsonl")
	}
	return file, filepath.Join(filepath.Dir(strings.TrimPrefix(spec, "sqlite:")), name)
}

// configFiles are the project's settings and the user's own.
func (a *app) configFiles() (project, user string) {
	if dir, ok := a.nearestProject(); ok {
		project = filepath.Join(dir, configFile)
	}
	for _, d := range []struct{ env, under string }{{"XDG_CONFIG_HOME", ""}, {"HOME", ".config"}, {"AppData", ""}} {
		if dir := a.env.Getenv(d.env); filepath.IsAbs(dir) {
			return project, filepath.Join(dir, d.under, appName, configFile)
		}
	}
	return project, ""
}

// nearestProject finds the .stemma directory nearest to where we are, of those whose
// store is this person's. Of any other nothing is read, not even its settings: we go
// on as if it were not there, and say so once. A linked worktree of git has the store of its
// repository's main checkout.
func (a *app) nearestProject() (string, bool) {
	a.worktree = ""
	for _, dir := range a.upwards() {
		path := filepath.Join(dir, projectDir)
		info, err := os.Lstat(path)
		if err == nil && info.Mode()&os.ModeSymlink != 0 { // whoever made the link chose the store
			a.noticed(fmt.Sprintf("%s is a symbolic link and is not read; name the store itself with --store", clean(path)))
		} else if err == nil && info.IsDir() && a.ownProject(path) {
			return path, true
		}
		if main, ok := mainCheckout(dir); ok {
			path := filepath.Join(main, projectDir)
			if info, err := os.Lstat(path); err == nil && info.IsDir() && a.ownProject(path) {
				a.worktree = dir
				return path, true
			}
		}
	}
	return "", false
}

// upwards are the directory where we are and those above it: where links lead to first, and then as they were
// followed. A project that is reached through a link is the same project.
func (a *app) upwards() []string {
	var out []string
	starts := []string{a.env.Dir}
	if real, err := filepath.EvalSymlinks(a.env.Dir); err == nil && real != filepath.Clean(a.env.Dir) {
		starts = []string{real, a.env.Dir}
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			if !slices.Contains(out, dir) {
				out = append(out, dir)
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return out
}

// ownProject reports whether the store in a .stemma directory is this person's, or lies where
// one of theirs did and cannot be read.
func (a *app) ownProject(dir string) bool {
	file := filepath.Join(dir, storeFile)
	w := a.ownership(file)
	if w.ownerState == unmade {
		// one that was lost is made again in its place; no other directory that has no
		// store is a project's
		list, err := a.ownStores()
		return err == nil && list.Had(w.Path)
	}
	// a link to a store of ours says nothing of the directory that it lies in
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		a.noticed(fmt.Sprintf("the store %s is a symbolic link and is not read; name the store itself with --store",
			clean(file)))
		return false
	}
	if w.err != nil && !errors.Is(w.err, context.DeadlineExceeded) {
		// where a store of this person's lay, damage is an error: words that were meant for it
		// are not kept elsewhere, and what is elsewhere is not given in its place
		if list, err := a.ownStores(); err == nil && list.Had(w.Path) {
			return true
		}
	}
	if w.ownerState != ours && !a.storeNamed() { // of one that was named more is said
		a.passedBy(w)
	}
	return w.ownerState == ours
}
