// Package project says which project a directory belongs to, and keeps the book of the projects that are known
// on this machine, each with the space of its memories.
//
// A project is a git repository with all its checkouts: worktrees, clones, sub-directories. It is known by its root
// commit, then by its remote, then by its path. Another root commit or another remote is another project.
package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
)

const (
	patience  = time.Second // how long git may take to say what a repository is
	mostSteps = 8           // how many remotes on this machine are followed, one from the other
	mostName  = 40          // bytes of a name, so that a space's name has room for more
)

// An Identity is what a repository is known by. What is empty is not there, or is not known.
type Identity struct {
	Root   string // where the main checkout's history begins; none where a shallow clone does not reach it
	Remote string // host/path of its origin
	Path   string // the directory of its main checkout
	Name   string // short, for people, and fit for the name of a space

	Roots  []string // every root commit of its branches
	Place  string   // which directory of the file system the repository is
	Source string   // and which the one that it is a clone of, on this machine
	Own    string   // the directory of this clone's main checkout, where its remote is the one that Path names
	Unsure bool     // the history is not known: the clone is shallow, or git did not answer

	abbreviated string // the remote as its configuration has it, where git reads it as another address
	failed      bool   // git did not answer
}

// Of returns what the repository of a directory is known by; ok is false outside of any repository. A home
// directory that is a repository itself is no project.
func Of(ctx context.Context, dir, home string) (id Identity, ok bool) {
	r, ok := find(dir, home)
	if !ok {
		return Identity{}, false
	}
	return identify(ctx, r), true
}

// find returns the repository that a directory belongs to.
func find(dir, home string) (git.Repository, bool) {
	r, ok := git.Find(dir)
	if !ok || home == "" {
		return r, ok
	}
	home = git.Real(home)
	// what holds the home directory keeps a person's settings, not a project
	return r, !under(r.Dir, home) || !under(home, git.Real(dir))
}

// under reports whether a path is a directory or lies below it.
func under(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// identify works out what a repository is known by.
func identify(ctx context.Context, r git.Repository) Identity {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	id := Identity{Place: placeOf(r.Common), Own: r.Main()}
	last := id.follow(ctx, r)
	id.Path, id.Source = last.Main(), placeOf(last.Common)
	for _, one := range slices.Compact([]git.Repository{r, last}) {
		h := historyOf(ctx, one)
		id.Unsure = id.Unsure || h.cut || !h.answered
		id.failed = id.failed || !h.answered
		if id.Root, id.Roots = h.first, h.roots; id.Root != "" {
			id.Unsure, id.failed = false, false
			break
		}
	}
	id.Name = nameOf(id)
	return id
}

// follow sets the remote and returns the repository that has it. A remote on this machine is another
// checkout of the same project.
func (id *Identity) follow(ctx context.Context, r git.Repository) git.Repository {
	seen := []git.Repository{r}
	for range mostSteps {
		written := r.Remote()
		remote, local := parse(written, r.Main())
		if remote != "" {
			id.Remote = remote
			if host, _, _ := strings.Cut(remote, "/"); !strings.Contains(host, ".") {
				if id.Remote = expanded(ctx, r, remote); id.Remote != remote {
					id.abbreviated = remote
				}
			}
			return r
		}
		next, ok := there(local)
		if !ok {
			return r
		}
		same := func(one git.Repository) bool { return one.Common == next.Common }
		if slices.ContainsFunc(seen, same) { // a ring
			return r
		}
		r = next
		seen = append(seen, r)
	}
	return r
}

// there returns the repository that a path is, as git finds it: one that the path lies in does not count.
func there(local string) (git.Repository, bool) {
	if local == "" {
		return git.Repository{}, false
	}
	for _, end := range []string{"", ".git"} {
		at := git.Real(local + end)
		if r, ok := git.Find(at); ok && (r.Dir == at || r.Common == at) {
			return r, true
		}
	}
	return git.Repository{}, false
}

// nameOf is a short name for people.
func nameOf(id Identity) string {
	named := strings.TrimSuffix(filepath.Base(id.Path), ".git")
	if id.Path != "" && (named == "" || strings.HasPrefix(named, ".")) { // x/.bare beside its worktrees
		named = filepath.Base(filepath.Dir(id.Path))
	}
	if id.Remote != "" {
		named = path.Base(id.Remote)
	}
	return fit(named)
}

// fit makes a text a part of a space's name.
func fit(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.TrimLeft(b.String(), "._-")
	name = strings.TrimRight(name[:min(len(name), mostName)], "._-")
	if name == "" {
		return "project"
	}
	return name
}

// Space is the name of the project's space. With one salt, two machines of a person come to one name: a remote is
// the same on both, also where one of them has a shallow clone or no git to ask for the root commit.
func (id Identity) Space(salt string) string {
	switch {
	case id.Remote != "":
		return id.space(salt, "remote", strings.ToLower(id.Remote))
	case id.Root != "":
		return id.space(salt, "root", id.Root)
	}
	return id.space(salt, "path", id.Path)
}

// space is a name that follows from some of what a project is known by.
func (id Identity) space(salt string, of ...string) string {
	sum := sha256.New()
	for _, part := range append([]string{salt}, of...) {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	name := id.Name
	if name == "" {
		name = nameOf(id)
	}
	return fit(name) + "-" + hex.EncodeToString(sum.Sum(nil)[:4])
}

// exists reports whether a name is there, whatever it is.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
