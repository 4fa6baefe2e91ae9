package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

// uninstallReply is what was taken out, or would be, and what stays.
type uninstallReply struct {
	DryRun   bool       `json:"dry_run,omitempty"`
	Files    []hostFile `json:"files"` // of agents' hosts
	Hooks    []string   `json:"hooks"` // of git
	Left     []leftover `json:"left"`
	Problems []string   `json:"problems,omitempty"`
}

// leftover is something that uninstall keeps.
type leftover struct {
	What string `json:"what"` // store, keys and lists, settings, cache, program
	Path string `json:"path"`
}

func (a *app) uninstallCmd() *cobra.Command {
	c := cmd("uninstall", "Remove stemma from your agents and git hooks", `Examples:
  stemma uninstall --dry-run     what it would change, and what it would keep
  stemma uninstall
  stemma uninstall --yes         without being asked
  stemma uninstall --project     only from the project here, or with --user only from your user

It undoes 'stemma init HOST' and 'stemma hook install git': for your user, for the
project here, and for each project whose store is on 'stemma store list'. It keeps
your stores, keys and settings, and prints where they are and how to delete them`)
	c.Args = cobra.NoArgs
	dryRun := c.Flags().Bool("dry-run", false, "show what would change, and change nothing")
	yes := c.Flags().Bool("yes", false, "do not ask")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.uninstall(cmd.Context(), *dryRun, *yes); err != nil {
			return ran{err}
		}
		return nil
	}
	return c
}

func (a *app) uninstall(ctx context.Context, dryRun, yes bool) error {
	if !dryRun && a.origin() != memory.OriginOwner {
		return onlyPerson{"uninstall: only a person may do that: run it yourself at a terminal"}
	}
	places, err := a.uninstallPlaces()
	if err != nil {
		return err
	}
	found := removal{dryRun: true}
	found.all(ctx, places)
	reply := found.uninstallReply
	if !dryRun && len(reply.Files)+len(reply.Hooks) > 0 {
		if !yes {
			if a.flags.json {
				return api.Invalid("uninstall: --json asks nothing: add --yes or --dry-run")
			}
			a.showUninstall(reply)
			if agreed, err := a.agrees("remove these? [y/N] "); err != nil || !agreed {
				a.hint("nothing was changed")
				return err
			}
		}
		var done removal
		done.all(ctx, places)
		reply = done.uninstallReply
	}
	reply.DryRun = dryRun
	if reply.Left, err = a.leftovers(); err != nil {
		return err
	}
	if a.flags.json {
		err = a.printJSON(reply)
	} else {
		a.showUninstall(reply)
		a.showLeft(reply)
	}
	if len(reply.Problems) > 0 {
		return errors.Join(err, api.Invalid("uninstall: %s", strings.Join(reply.Problems, "; ")))
	}
	return err
}

// agrees asks a person a question that is answered by yes or no.
func (a *app) agrees(question string) (bool, error) {
	answer, err := a.ask(bufio.NewReader(a.env.Stdin), question)
	if err != nil && !errors.Is(err, errQuit) {
		return false, err
	}
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), nil
}

// uninstallPlaces are where a host may have files of ours: those of the user, of the
// project here, and of the projects that have a store on the person's list.
func (a *app) uninstallPlaces() ([]hosts.Place, error) {
	onlyUser, onlyProject := a.flags.user, a.flags.project
	if onlyUser && onlyProject {
		return nil, api.Invalid("--user and --project: name one of the two")
	}
	a.flags.project, a.flags.user = false, false
	user, err := a.hostPlace()
	if err != nil || onlyUser {
		return []hosts.Place{user}, err
	}
	places, roots := []hosts.Place{user}, []string{a.mainRoot(), a.rootOfProject()}
	if onlyProject {
		places = nil
	} else if roots, err = a.ownProjects(roots); err != nil {
		return nil, err
	}
	for _, root := range slices.Compact(roots) {
		if info, err := os.Stat(root); err != nil || !info.IsDir() || root == user.Home {
			continue
		}
		place := user
		place.Root = root
		places = append(places, place)
	}
	return places, nil
}

// ownProjects adds the projects whose stores are on the person's list.
func (a *app) ownProjects(roots []string) ([]string, error) {
	list, err := a.ownStores()
	if err != nil {
		return nil, err
	}
	for _, e := range list.All() {
		if dir := filepath.Dir(e.Path); filepath.Base(dir) == projectDir {
			roots = append(roots, filepath.Dir(dir))
		}
	}
	slices.Sort(roots)
	return roots, nil
}

// removal removes stemma's entries or, with dryRun, finds them.
type removal struct {
	dryRun bool
	uninstallReply
}

// all goes through the places. What cannot be taken out is a problem, and ends nothing.
func (r *removal) all(ctx context.Context, places []hosts.Place) {
	r.Files, r.Hooks = []hostFile{}, []string{}
	for _, place := range places {
		for _, host := range hosts.Names() {
			r.host(place, host)
		}
		if place.Root == "" {
			continue
		}
		hooks, err := code.FindHook(ctx, place.Root)
		if err == nil && len(hooks) > 0 && !r.dryRun {
			hooks, err = code.RemoveHook(ctx, place.Root)
		}
		r.problem(err)
		r.Hooks = append(r.Hooks, hooks...)
	}
}

func (r *removal) host(place hosts.Place, host string) {
	changes, _, err := place.Plan(host, true)
	if err == nil && !r.dryRun {
		err = hosts.Write(changes)
	}
	if err != nil {
		r.problem(fmt.Errorf("%s: %w", host, err))
		return
	}
	for i := range changes {
		if changes[i].Same() {
			continue
		}
		f := fileReply(&changes[i], false)
		// Two hosts may share a file: what the last one leaves counts.
		at := slices.IndexFunc(r.Files, func(other hostFile) bool { return other.Path == f.Path })
		if at < 0 {
			r.Files = append(r.Files, f)
		} else {
			r.Files[at] = f
		}
	}
}

func (r *removal) problem(err error) {
	if err != nil && !slices.Contains(r.Problems, err.Error()) {
		r.Problems = append(r.Problems, err.Error())
	}
}

// leftovers are the existing files that a person may want to delete.
func (a *app) leftovers() ([]leftover, error) {
	list, err := a.ownStores()
	if err != nil {
		return nil, err
	}
	var left []leftover
	add := func(what, path string) {
		if _, err := os.Stat(path); err == nil {
			left = append(left, leftover{what, path})
		}
	}
	for _, e := range list.All() {
		switch dir := filepath.Dir(e.Path); {
		case strings.Contains(e.Path, "://"):
			left = append(left, leftover{"store", e.Path})
		case filepath.Base(dir) == projectDir:
			add("store", dir)
		default:
			add("store", e.Path)
		}
	}
	data, err := a.dataDir()
	if err != nil {
		return nil, err
	}
	add("keys", filepath.Join(data, keysDir))
	add("data", data)
	_, config := a.configFiles()
	add("settings", filepath.Dir(config))
	if cache := a.cacheDir(); cache != "" {
		add("cache", cache)
	}
	if self, err := os.Executable(); err == nil {
		add("program", self)
	}
	return left, nil
}

func (a *app) showUninstall(r uninstallReply) {
	w := a.env.Stdout
	for _, f := range r.Files {
		fmt.Fprintf(w, "%-9s  %s  (%s)\n", f.Change, clean(f.Path), f.What)
	}
	for _, path := range r.Hooks {
		change := "changed"
		if _, err := os.Lstat(path); err != nil {
			change = "removed" // it held nothing else
		}
		fmt.Fprintf(w, "%-9s  %s  (git hook)\n", change, clean(path))
	}
}

// showLeft says what stays, and how to delete it.
func (a *app) showLeft(r uninstallReply) {
	switch {
	case len(r.Files)+len(r.Hooks) == 0 && len(r.Problems) == 0:
		a.hint("nothing to remove: no agent and no known git hook runs stemma")
	case r.DryRun:
		a.hint("nothing was changed")
	case len(r.Files) > 0:
		a.hint("restart your agents to unload it")
	}
	w := a.env.Stdout
	if len(r.Left) > 0 {
		fmt.Fprintln(w, "\nKept:")
	}
	data, _ := a.dataDir()
	var paths []string
	for _, l := range r.Left {
		fmt.Fprintf(w, "  %-8s  %s\n", l.What, clean(l.Path))
		within := strings.HasPrefix(l.Path, data+string(filepath.Separator))
		if !within && l.What != "program" && !strings.Contains(l.Path, "://") {
			paths = append(paths, shellWord(l.Path))
		}
	}
	if len(paths) == 0 {
		return
	}
	fmt.Fprintf(w, `
To delete your memories and keys for good:

  rm -r %s

You cannot get them back afterwards, and you cannot sign with the same keys again:
copy what you want to keep first ('stemma backup DIR', and the directory of the keys).
In other git repositories, 'stemma hook remove git' removes the hook.
`, strings.Join(paths, " "))
}
