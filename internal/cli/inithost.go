package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/hosts"
)

// hostFlags are those of 'init' with a host.
type hostFlags struct{ dryRun, remove, allowReads, allowAll bool }

// hostFile is what became of one file of a host.
type hostFile struct {
	Path   string `json:"path"`
	What   string `json:"what"`
	Change string `json:"change"` // created, changed, restored, removed, unchanged
	Backup string `json:"backup,omitempty"`
	Diff   string `json:"diff,omitempty"`
}

type hostReply struct {
	Host   string     `json:"host"`
	Scope  string     `json:"scope"` // project or user
	DryRun bool       `json:"dry_run,omitempty"`
	Files  []hostFile `json:"files"`
	Allow  string     `json:"allow,omitempty"` // what the host lets its agent call unasked: reads, all
	Store  string     `json:"store,omitempty"` // where what is captured is kept
	Notes  []string   `json:"notes,omitempty"`
}

// initHost puts stemma into a host, or takes it out.
func (a *app) initHost(cmd *cobra.Command, host string, f hostFlags) error {
	if a.flags.user && a.flags.project {
		return ran{api.Invalid("--user and --project do not go together")}
	}
	place, err := a.hostPlace()
	if err != nil {
		return ran{err}
	}
	if place.Allow, err = a.allow(place, host, f); err != nil {
		return ran{err}
	}
	changes, notes, err := place.Plan(host, f.remove)
	if err != nil {
		return ran{err}
	}
	if here := a.rootOfProject(); f.remove && place.Root != "" && here != place.Root {
		place.Root = here // an earlier version set up the worktree itself
		more, _, err := place.Plan(host, true)
		if err != nil {
			return ran{err}
		}
		changes = append(changes, slices.DeleteFunc(more, func(c hosts.Change) bool { return c.Same() })...)
	}
	reply := hostReply{Host: host, Scope: "user", DryRun: f.dryRun, Files: []hostFile{}}
	if !f.remove {
		reply.Notes, reply.Allow = append(notes, a.hostNotes(place, host)...), string(place.Allow)
	}
	if place.Root != "" {
		reply.Scope = "project"
		if note := a.worktreeNote(); note != "" {
			reply.Notes = append(reply.Notes, note)
		}
	}
	for i := range changes {
		reply.Files = append(reply.Files, fileReply(&changes[i], f.dryRun))
	}
	if !f.dryRun {
		if !f.remove {
			if err := a.readyStore(cmd.Context()); err != nil {
				return ran{err}
			}
		}
		if err := hosts.Write(changes); err != nil {
			return ran{err}
		}
		if reply.Store, err = a.storeSpec(); err != nil && !f.remove {
			return ran{err}
		}
	}
	if a.flags.json {
		return a.printJSON(reply)
	}
	a.showHost(reply, f)
	return nil
}

// readyStore makes the store and the keys before the first hook, which has no time for
// that.
func (a *app) readyStore(ctx context.Context) error {
	if a.flags.project {
		if _, ok := a.nearestProject(); !ok {
			if err := a.projectStore(); err != nil {
				return err
			}
		}
	}
	a.writes = true
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	_, err = e.Init(ctx, api.Nothing{})
	if errors.Is(err, api.ErrForbidden) {
		return nil // locked keys are there
	}
	return err
}

func fileReply(c *hosts.Change, dry bool) hostFile {
	f := hostFile{Path: c.Path, What: c.What, Change: "changed", Backup: c.Backup()}
	switch {
	case c.Same():
		f.Change, f.Backup = "unchanged", ""
	case c.Old == nil:
		f.Change = "created"
	case c.New == nil:
		f.Change = "removed"
	case c.Restore:
		f.Change = "restored"
	}
	if dry {
		f.Diff = hosts.Diff(c.Path, string(c.Old), string(c.New))
	}
	return f
}

// hostPlace says where the files of hosts are, and how they call us.
func (a *app) hostPlace() (hosts.Place, error) { return a.placeFor(a.flags.project) }

// placeFor says it for this project, or for all that the person has.
func (a *app) placeFor(project bool) (hosts.Place, error) {
	p := hosts.Place{Home: a.env.Getenv("HOME"), Getenv: a.env.Getenv, Program: appName}
	data, err := a.dataDir()
	if err != nil {
		return p, err
	}
	p.Backups = filepath.Join(data, "backups")
	if p.Home == "" {
		p.Home = a.env.Getenv("USERPROFILE")
	}
	if p.Home == "" {
		return p, api.Invalid("no home directory; set HOME")
	}
	p.Config = a.env.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(p.Config) {
		p.Config = filepath.Join(p.Home, ".config")
	}
	if project {
		p.Root = a.mainRoot()
		return p, nil // others who work on it have their programs elsewhere
	}
	if a.flags.store != "" {
		store, err := filepath.Abs(a.flags.store)
		if err != nil {
			return p, err
		}
		p.Flags = []string{"--store", store}
	}
	// a program that is started from a desktop does not look where a shell does
	if found, err := exec.LookPath(appName); err == nil && filepath.IsAbs(found) {
		p.Program = found
	} else if self, err := os.Executable(); err == nil {
		p.Program = self
	}
	return p, nil
}

// rootOfProject is where the nearest .stemma or .git is, or where we are.
func (a *app) rootOfProject() string {
	if root := a.projectRoot(); root != "" {
		return root
	}
	for _, dir := range a.upwards() {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil && dir != filepath.Dir(dir) {
			return dir
		}
	}
	return a.env.Dir
}

// mainRoot is rootOfProject, and for a linked worktree of git its repository's main checkout: what init puts into a
// worktree goes with it.
func (a *app) mainRoot() string {
	root := a.rootOfProject()
	if main, is := mainCheckout(root); is {
		return main
	}
	return root
}

// worktreeNote says that init set up the main checkout and not the worktree here, "" anywhere else.
func (a *app) worktreeNote() string {
	root := a.rootOfProject()
	if main := a.mainRoot(); main != root {
		return fmt.Sprintf("this is a linked worktree: its repository's main checkout is set up, %s; a host reads its files "+
			"here once they are committed", clean(main))
	}
	return ""
}

func (a *app) showHost(r hostReply, f hostFlags) {
	w := a.env.Stdout
	changed := 0
	for _, file := range r.Files {
		if file.Change != "unchanged" {
			changed++
		}
		if f.dryRun {
			fmt.Fprint(w, clean(file.Diff))
			continue
		}
		fmt.Fprintf(w, "%-9s  %s  (%s)\n", file.Change, clean(file.Path), file.What)
		if file.Backup != "" {
			fmt.Fprintf(w, "           backup: %s\n", clean(file.Backup))
		}
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	switch {
	case f.dryRun && changed > 0:
		a.hint("dry run: nothing was written")
	case f.remove && changed > 0:
		a.hint("stemma is removed from %s. Restart it. Your memories are kept", r.Host)
	case changed == 0:
		a.hint("nothing to do")
	}
	if !f.dryRun && !f.remove {
		a.showConnected(r)
	}
}

// mainOfWorktree is the main checkout of the repository that we are in a linked worktree of.
func (a *app) mainOfWorktree() (string, bool) {
	for _, dir := range a.upwards() {
		if main, is := mainCheckout(dir); is {
			return main, true
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return "", false
		}
	}
	return "", false
}

// projectStore makes ./.stemma with a .gitignore of its own, unless another
// store was named.
func (a *app) projectStore() error {
	if a.flags.user || a.flags.store != "" {
		return nil
	}
	dir := filepath.Join(a.env.Dir, projectDir)
	if main, is := a.mainOfWorktree(); is {
		dir = filepath.Join(main, projectDir)
		a.hint("this is a linked worktree: the store is that of its main checkout")
	}
	if repo, is := git.Find(a.env.Dir); is && !repo.Bare() && repo.Dir != git.Real(a.env.Dir) &&
		dir == filepath.Join(a.env.Dir, projectDir) {
		a.hint("this store is for %s and below alone; one for the whole repository: run stemma init in %s",
			clean(a.env.Dir), clean(repo.Dir))
	}
	if w := a.ownership(filepath.Join(dir, storeFile)); w.ownerState == strange {
		return notYours{w.describe("there is already a store here:") + "; nothing changed; " + w.adopting()}
	} else if _, err := os.Stat(filepath.Join(dir, configFile)); err == nil && w.ownerState == unmade {
		a.hint("warning: %s is older than the store and takes effect now; check its settings",
			clean(filepath.Join(dir, configFile)))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the project's store: %w", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(ignore); err != nil {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return fmt.Errorf("create the project's store: %w", err)
		}
	}
	a.flags.store = filepath.Join(dir, storeFile)
	return nil
}
