package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

const forge = "https://forge.example/ada/engine.git"

// One repository is one project, from wherever it is looked at.
func TestOneProject(t *testing.T) {
	for name, do := range map[string]func(d *desk){
		"a sub-directory": func(d *desk) {
			d.mkdir("a/deep/er")
			d.same("a", "a/deep/er")
			d.same("a", "a/.git/hooks")
			d.same("a", "a/deep/not/there")
		},
		"a link": func(d *desk) {
			if err := os.Symlink(d.at("a"), d.at("link")); err != nil {
				d.Fatal(err)
			}
			d.same("a", "link")
			d.same("link/x", "a")
		},
		"a clone of what was empty when it was seen last": func(d *desk) {
			d.git(".", "init", "-q", "late")
			was := d.space("late")
			d.commit("late")
			d.git("late", "remote", "add", "origin", forge)
			d.git(".", "clone", "-q", "late", "copy")
			d.stays(was, "copy")
			d.stays(was, "late")
		},
		"a worktree": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			d.git("a", "worktree", "add", "-q", "-b", "topic", "inside")
			d.same("w", "a")
			d.same("a/inside", "a")
		},
		"a worktree that git forgot": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			d.rename("w", "moved")
			d.git("a", "worktree", "prune")
			d.same("a", "moved")
		},
		"a worktree that was removed": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			d.same("a", "w")
			d.git("a", "worktree", "remove", "../w")
			d.same("a", "w")
			d.same("a", "w/deep")
		},
		"an orphan branch in a worktree": func(d *desk) {
			d.git("a", "worktree", "add", "-q", "--detach", "../w")
			d.git("w", "checkout", "-q", "--orphan", "pages")
			d.commit("w")
			d.same("w", "a")
		},
		"an orphan branch": func(d *desk) {
			was := d.space("a")
			d.git("a", "checkout", "-q", "--orphan", "pages")
			d.stays(was, "a")
			d.commit("a")
			d.stays(was, "a")
			d.git("a", "config", "x.y", "z") // so that it is asked again
			d.stays(was, "a")
		},
		"a clone of an orphan branch": func(d *desk) {
			d.remote("a", forge)
			d.git("a", "branch", "keep")
			d.git("a", "checkout", "-q", "--orphan", "pages")
			d.commit("a")
			d.git("a", "checkout", "-q", "main")
			d.same("a", "a")
			d.git("", "clone", "-q", "-b", "pages", "a", "b")
			d.git("b", "remote", "set-url", "origin", "git@forge.example:ada/engine")
			d.same("b", "a")
		},
		"a clone by path":      func(d *desk) { d.git("", "clone", "-q", "a", "b"); d.same("b", "a") },
		"a clone by file://":   func(d *desk) { d.git("", "clone", "-q", "file://"+d.at("a"), "b"); d.same("b", "a") },
		"a clone by hard link": func(d *desk) { d.git("", "clone", "-q", "-l", d.at("a"), "b"); d.same("a", "b") },
		"a clone of a clone": func(d *desk) {
			d.git("", "clone", "-q", "a", "b")
			d.git("", "clone", "-q", "b", "c")
			d.same("c", "a")
			d.same("b", "a")
		},
		"a clone of a clone with a remote": func(d *desk) {
			d.remote("a", forge)
			d.git("", "clone", "-q", "a", "b")
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("b"), "c")
			d.same("c", "a")
			d.same("b", "c")
		},
		"a clone whose source is gone": func(d *desk) {
			d.git("", "clone", "-q", "a", "b")
			was := d.space("a")
			d.remove("a")
			d.stays(was, "b")
		},
		"a bare clone": func(d *desk) {
			d.git("", "clone", "-q", "--bare", "a", "hub.git")
			d.same("hub.git", "a")
			d.git("hub.git", "worktree", "add", "-q", "--detach", "../w")
			d.same("w", "hub.git/objects")
		},
		"a bare repository beside its worktrees": func(d *desk) {
			d.git("", "clone", "-q", "--bare", "a", "b/.git")
			d.git("b/.git", "worktree", "add", "-q", "--detach", "../one")
			d.git("b/.git", "worktree", "add", "-q", "--detach", "../two")
			d.same("b/one", "b/two")
			d.same("a", "b")
		},
		"a bare one as the remote of this": func(d *desk) {
			was := d.space("a")
			d.git("", "init", "-q", "--bare", "hub.git")
			d.remote("a", "../hub.git")
			d.stays(was, "a")
			d.git("a", "push", "-q", "origin", "main")
			d.git("", "clone", "-q", "hub", "b")
			d.stays(was, "b")
			d.git("", "init", "-q", "e")
			d.remote("e", d.at("hub"))
			d.stays(was, "e")
		},
		"a shallow clone": func(d *desk) {
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
			d.same("b", "a")
		},
		"a shallow clone of a remote": func(d *desk) {
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
			d.git("b", "remote", "set-url", "origin", forge)
			d.remote("a", forge)
			d.same("b", "a")
			was := d.space("b")
			d.git("b", "fetch", "-q", "--unshallow", "../a")
			d.stays(was, "b")
		},
		"a remote added later": func(d *desk) {
			was := d.space("a")
			d.git("", "clone", "-q", "a", "b")
			d.git("b", "remote", "set-url", "origin", forge)
			d.stays(was, "b")
			d.remote("a", forge)
			d.stays(was, "a")
		},
		"a remote removed": func(d *desk) {
			d.remote("a", forge)
			was := d.space("a")
			d.git("a", "remote", "remove", "origin")
			d.stays(was, "a")
		},
		"a remote renamed": func(d *desk) {
			d.remote("a", forge)
			was := d.space("a")
			d.git("a", "remote", "set-url", "origin", "https://other.example/ada/engine")
			d.stays(was, "a")
			d.git("", "clone", "-q", "a", "b")
			d.git("b", "remote", "set-url", "origin", forge)
			d.stays(was, "b")
		},
		"two remotes": func(d *desk) {
			d.git("a", "remote", "add", "upstream", "https://forge.example/up/engine")
			d.remote("a", forge)
			d.git("", "clone", "-q", "a", "b")
			d.git("b", "remote", "set-url", "origin", forge)
			d.same("b", "a")
		},
		"a remote of another name": func(d *desk) {
			d.git("a", "remote", "add", "forge", forge)
			d.git("", "clone", "-q", "a", "b")
			d.git("b", "remote", "set-url", "origin", "ssh://git@forge.example:22/ada/engine/")
			d.same("b", "a")
		},
		"an abbreviated remote": func(d *desk) {
			d.remote("a", forge)
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
			d.git("b", "remote", "set-url", "origin", "f:ada/engine")
			d.git("", "config", "--global", "url.https://forge.example/.insteadOf", "f:")
			d.same("b", "a")
			was := d.space("b")
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "c")
			d.git("c", "remote", "set-url", "origin", "f:ada/engine")
			d.without(func() { d.stays(was, "c") })
		},
		"renamed": func(d *desk) { was := d.space("a"); d.rename("a", "b"); d.stays(was, "b") },
		"renamed while empty": func(d *desk) {
			d.git("", "init", "-q", "e")
			was := d.space("e")
			d.rename("e", "f")
			d.stays(was, "f")
		},
		"moved, then something else at its place": func(d *desk) {
			was := d.space("a")
			d.mkdir("x")
			d.rename("a", "x/a")
			d.repository("a")
			if d.space("a") == was {
				d.Error("the new one has the space of the old one")
			}
			d.stays(was, "x/a")
		},
		"copied": func(d *desk) {
			was := d.space("a")
			if err := os.CopyFS(d.at("b"), os.DirFS(d.at("a"))); err != nil {
				d.Fatal(err)
			}
			d.remove("a")
			d.stays(was, "b")
		},
		"empty, then a commit, then a remote": func(d *desk) {
			d.git("", "init", "-q", "e")
			was := d.space("e")
			d.commit("e")
			d.stays(was, "e")
			d.remote("e", forge)
			d.stays(was, "e")
			d.git("", "clone", "-q", "e", "f")
			d.git("f", "remote", "set-url", "origin", forge)
			d.stays(was, "f")
		},
		"empty, then a remote, then a commit": func(d *desk) {
			d.git("", "init", "-q", "e")
			was := d.space("e")
			d.remote("e", forge)
			d.stays(was, "e")
			d.commit("e")
			d.stays(was, "e")
			d.git("e", "branch", "-m", "deep/er")
			d.stays(was, "e")
		},
		"a clone of an empty one": func(d *desk) {
			d.git("", "init", "-q", "e")
			d.git("", "clone", "-q", "e", "f")
			d.same("e", "f")
			was := d.space("f")
			d.commit("f")
			d.stays(was, "f")
			d.stays(was, "e")
		},
		"made again while empty": func(d *desk) {
			d.git("", "init", "-q", "e")
			was := d.space("e")
			d.remove("e")
			d.git("", "init", "-q", "e")
			d.stays(was, "e")
		},
		"remotes in a ring": func(d *desk) {
			d.git("", "clone", "-q", "a", "b")
			d.remote("a", "../b")
			d.same("a", "b")
		},
		"empty ones in a ring": func(d *desk) {
			for name, next := range map[string]string{"e": "f", "f": "g", "g": "e"} {
				d.git("", "init", "-q", name)
				d.remote(name, d.at(next))
			}
			d.same("e", "f")
			d.same("g", "e")
			for name, next := range map[string]string{"two": "one", "one": "two"} {
				d.git("", "init", "-q", name)
				d.remote(name, d.at(next))
			}
			d.same("one", "two")
		},
		"a remote that is itself": func(d *desk) { was := d.space("a"); d.remote("a", "."); d.stays(was, "a") },
		"a .git that is a link": func(d *desk) {
			d.mkdir("b")
			if err := os.Symlink(d.at("a/.git"), d.at("b/.git")); err != nil {
				d.Fatal(err)
			}
			d.same("b", "a")
		},
		"a .git apart from the files": func(d *desk) {
			d.git("", "init", "-q", "--separate-git-dir", "apart.git", "b")
			was := d.space("b")
			d.commit("b")
			d.stays(was, "b")
			d.git("", "clone", "-q", "b", "c")
			d.stays(was, "c")
			d.git("b", "worktree", "add", "-q", "--detach", "../w")
			d.stays(was, "w")
		},
		"a clone of .git": func(d *desk) {
			d.git("", "clone", "-q", "a/.git", "b")
			d.git("b", "worktree", "add", "-q", "--detach", "../w")
			d.git("", "clone", "-q", "w", "c")
			d.same("b", "a")
			d.same("c", "b")
		},
		"fetched and not checked out": func(d *desk) {
			d.git("", "init", "-q", "e")
			d.git("e", "fetch", "-q", "../a", "main:refs/remotes/origin/main")
			d.same("a", "e")
		},
		"a partial clone": func(d *desk) {
			d.git("a", "config", "uploadpack.allowFilter", "true")
			d.git("", "clone", "-q", "--filter=tree:0", "--no-checkout", "file://"+d.at("a"), "b")
			d.same("b", "a")
		},
		"a long row of clones": func(d *desk) {
			for i := range 2 * mostSteps {
				d.git("", "clone", "-q", fmt.Sprint("../src/", strings.Repeat("b", i)+"a"), strings.Repeat("b", i+1)+"a")
			}
			d.same("a", strings.Repeat("b", 2*mostSteps)+"a")
		},
		"a detached HEAD on a tag": func(d *desk) {
			was := d.space("a")
			d.git("a", "tag", "v1", "HEAD~1")
			d.git("a", "checkout", "-q", "v1")
			d.git("a", "branch", "-D", "main")
			d.git("a", "config", "x.y", "1")
			d.stays(was, "a")
		},
		"amended and rebased": func(d *desk) {
			was := d.space("a")
			d.git("a", "commit", "-q", "--amend", "--allow-empty", "-m", "other")
			d.git("a", "gc", "-q", "--prune=now")
			d.git("a", "config", "x.y", "1")
			d.stays(was, "a")
		},
		"a broken branch beside it": func(d *desk) {
			was := d.space("a")
			d.write("a/.git/refs/heads/broken", strings.Repeat("0123", 10)+"\n")
			d.git("a", "config", "x.y", "1")
			d.stays(was, "a")
		},
		"moved without git": func(d *desk) {
			was := d.space("a")
			d.rename("a", "b")
			d.without(func() { d.stays(was, "b") })
			d.stays(was, "b")
		},
		"a remote with a dead host": func(d *desk) {
			d.remote("a", "nohost:x/engine")
			was := d.space("a")
			d.git("a", "remote", "rename", "origin", "up")
			d.stays(was, "a")
		},
		"merged with an older history": func(d *desk) {
			was := d.space("a")
			d.git("", "init", "-q", "old")
			d.git("old", "-c", "user.name=B", "commit", "-q", "--allow-empty", "-m", "old", "--date=2001-01-01T00:00:00")
			d.git("a", "fetch", "-q", "../old", "main")
			d.git("a", "merge", "-q", "--allow-unrelated-histories", "-m", "join", "FETCH_HEAD")
			d.git("a", "config", "x.y", "z")
			d.stays(was, "a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.repository("a")
			do(d)
		})
	}
}

// What is another repository is another project.
func TestTwoProjects(t *testing.T) {
	for name, do := range map[string]func(d *desk){
		"two roots": func(d *desk) { d.repository("b"); d.differ("a", "b") },
		"two roots with one remote": func(d *desk) {
			d.repository("b")
			d.remote("a", forge)
			d.remote("b", forge)
			d.differ("a", "b")
		},
		"a fork": func(d *desk) {
			d.git("", "clone", "-q", "a", "b")
			d.remote("a", forge)
			d.git("b", "remote", "set-url", "origin", "https://forge.example/bob/engine.git")
			d.differ("a", "b")
			d.differ("b", "a")
		},
		"a clone of a fork": func(d *desk) {
			d.git("", "clone", "-q", "a", "b")
			d.remote("a", forge)
			d.git("b", "remote", "set-url", "origin", "https://forge.example/bob/engine.git")
			d.git("", "clone", "-q", "b", "c")
			d.differ("a", "c")
			d.same("b", "c")
		},
		"a fork in the place of a project": func(d *desk) {
			d.remote("a", forge)
			was := d.space("a")
			d.git("", "clone", "-q", "a", "b")
			d.git("b", "remote", "set-url", "origin", "https://forge.example/bob/engine.git")
			d.remove("a")
			d.rename("b", "a")
			if got := d.space("a"); got == was {
				d.Errorf("the fork has the space of the project, %q", got)
			}
		},
		"a new one at an old path": func(d *desk) {
			was := d.space("a")
			d.remove("a")
			d.repository("a")
			if got := d.space("a"); got == was {
				d.Errorf("both are %q", got)
			}
		},
		"an empty one at an old path": func(d *desk) {
			was := d.space("a")
			d.remove("a")
			d.git("", "init", "-q", "a")
			got := d.space("a")
			if got == was {
				d.Errorf("both are %q", got)
			}
			d.commit("a")
			d.stays(got, "a")
		},
		"a history begun anew in one directory": func(d *desk) {
			d.remote("a", forge)
			was := d.space("a")
			d.remove("a/.git")
			d.git("a", "init", "-q")
			d.commit("a")
			d.remote("a", forge)
			if got := d.space("a"); got == was {
				d.Errorf("both are %q", got)
			}
		},
		"empty at first, then another at the path": func(d *desk) {
			d.git("", "init", "-q", "e")
			was := d.space("e")
			d.commit("e")
			d.stays(was, "e")
			d.remove("e")
			d.git("", "init", "-q", "e")
			if got := d.space("e"); got == was {
				d.Errorf("both are %q", got)
			}
		},
		"two empty ones": func(d *desk) {
			d.git("", "init", "-q", "e")
			d.git("", "init", "-q", "f")
			d.differ("e", "f")
		},
		"a submodule": func(d *desk) {
			d.repository("lib")
			d.git("a", "submodule", "add", "-q", "../lib", "deps/lib")
			d.differ("a", "a/deps/lib")
			d.same("lib", "a/deps/lib")
			was := d.space("lib")
			d.git("lib", "remote", "add", "origin", forge)
			d.git("a/deps/lib", "remote", "set-url", "origin", forge)
			d.remove("a/deps/lib")
			d.remove("lib")
			d.stays(was, "a/.git/modules/deps/lib")
		},
		"files said to be another's": func(d *desk) {
			d.git("", "init", "-q", "--separate-git-dir", "apart.git", "b")
			d.commit("b")
			d.git("b", "config", "core.worktree", d.at("a"))
			d.git("b", "worktree", "add", "-q", "--detach", "../w")
			d.git("", "init", "-q", "--separate-git-dir", "other.git", "c")
			d.git("c", "config", "core.worktree", d.at("a/.git"))
			d.differ("a", "w")
			d.differ("a", "b")
			d.differ("a", "c")
		},
		"a repository in another": func(d *desk) { d.repository("a/inner"); d.differ("a", "a/inner") },
		"a dead remote in another": func(d *desk) {
			d.git("", "init", "-q", "e")
			d.remote("e", d.at("a/not/there"))
			d.differ("a", "e")
		},
		"shallow clones of two remotes": func(d *desk) {
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "c")
			d.git("b", "remote", "set-url", "origin", forge)
			d.git("c", "remote", "set-url", "origin", "https://forge.example/bob/engine")
			d.differ("b", "c")
		},
		"a project that took in another": func(d *desk) {
			d.remote("a", forge)
			d.repository("app")
			d.remote("app", "https://forge.example/ada/app")
			d.git("app", "fetch", "-q", "../a", "main")
			d.git("app", "merge", "-q", "--allow-unrelated-histories", "-m", "join", "FETCH_HEAD")
			d.differ("a", "app")
		},
		"one without a remote that took in another": func(d *desk) {
			d.git("", "init", "-q", "app")
			d.git("app", "-c", "user.name=B", "commit", "-q", "--allow-empty", "-m", "young", "--date=2030-01-01T00:00:00")
			d.git("app", "fetch", "-q", "../a", "main")
			d.git("app", "merge", "-q", "--allow-unrelated-histories", "-m", "join", "FETCH_HEAD")
			d.differ("app", "a")
			d.differ("a", "app")
		},
		"one that took in another before that is seen": func(d *desk) {
			d.repository("app")
			d.space("app")
			d.git("app", "fetch", "-q", "../a", "main:lib")
			d.git("app", "config", "x.y", "1")
			d.git("app", "merge", "-q", "--allow-unrelated-histories", "-m", "join", "lib")
			d.remote("app", forge)
			d.differ("app", "a")
		},
		"a checkout turned to a fork, and the fork": func(d *desk) {
			d.remote("a", forge)
			d.git("", "clone", "-q", "a", "f")
			d.git("f", "remote", "set-url", "origin", "https://forge.example/bob/engine.git")
			a, f := d.space("a"), d.space("f")
			d.git("a", "remote", "set-url", "origin", "https://forge.example/bob/engine.git")
			d.stays(a, "a")
			d.git("", "clone", "-q", "f", "g")
			d.git("g", "remote", "set-url", "origin", "https://forge.example/bob/engine")
			d.stays(f, "g")
			d.stays(f, "f")
		},
		"outside": func(d *desk) {
			d.mkdir("plain/deep")
			for _, dir := range []string{"plain/deep", "not/there", ""} {
				if got := d.space(dir); got != "" {
					d.Errorf("%q is %q, want none", dir, got)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.repository("a")
			do(d)
		})
	}
}

// A home directory that is a repository, for a person's settings, is no project; what is in it may be.
func TestHome(t *testing.T) {
	d := newDesk(t)
	d.home = d.at("home")
	d.repository("home")
	d.mkdir("home/notes")
	d.repository("home/src/engine")
	for dir, want := range map[string]bool{
		"home": false, "home/notes": false, "home/src": false, "home/src/engine": true,
	} {
		if got := d.space(dir); (got != "") != want {
			t.Errorf("%s is %q, want a project: %v", dir, got, want)
		}
	}
	d.git("home", "worktree", "add", "-q", "--detach", "../dots")
	d.space("dots")
	if got := d.space("home/notes"); got != "" {
		t.Errorf("beside a worktree of it, home is %q", got)
	}
	d.home = d.at("home/notes") // a repository above it
	if got := d.space("home/notes"); got != "" {
		t.Errorf("below a repository, home is %q", got)
	}
	if got := d.space("home"); got == "" {
		t.Error("a repository above a home directory is no project")
	}
}

// Without an answer from git, a repository is what it was, and a new one has its remote and its path.
func TestWithoutGit(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.repository("b")
	d.remote("b", forge)
	a, b := d.space("a"), d.space("b")
	d.git("", "clone", "-q", "b", "c")
	d.git("c", "remote", "set-url", "origin", "git@forge.example:ada/engine.git")
	d.git("a", "config", "x.y", "1")
	d.git("b", "config", "x.y", "1")
	d.git("", "clone", "-q", "a", "d")
	d.repository("fresh")
	fresh := ""
	d.without(func() {
		d.stays(a, "a")
		d.stays(b, "b")
		d.stays(b, "c")
		d.stays(a, "d")
		fresh = d.space("fresh")
		d.rename("a", "moved")
		d.stays(a, "moved")
	})
	d.git("fresh", "config", "x.y", "1")
	d.stays(fresh, "fresh")
	d.stays(a, "moved")
}

// git that hangs, fails, or does not trust a repository holds nobody up.
func TestGitThatDoesNotAnswer(t *testing.T) {
	for name, script := range map[string]string{
		"hangs": "sleep 30", "fails": "exit 128", "talks": "while :; do echo x; done", "lies": "echo x; exit 1",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.repository("a")
			was := d.space("a")
			d.git("a", "config", "x.y", "1")
			d.repository("b")
			d.gitIs(script)
			for _, dir := range []string{"a", "b"} {
				begun := time.Now()
				got, _, err := Space(t.Context(), d.data, d.at(dir), d.home, "salt", true)
				if took := time.Since(begun); took > 2*time.Second || err != nil || got == "" {
					t.Errorf("%s: %q, %v after %v", dir, got, err, took)
				}
				if dir == "a" && got != was {
					t.Errorf("a is %q, was %q", got, was)
				}
				d.write(dir+"/.git/refs/heads/new", strings.Repeat("0", 40)+"\n") // it is not asked again for that
				begun = time.Now()
				again, known, err := Space(t.Context(), d.data, d.at(dir), d.home, "salt", true)
				if took := time.Since(begun); took > 200*time.Millisecond || again != got || !known || err != nil {
					t.Errorf("%s: %q (known: %v), %v after %v", dir, again, known, err, took)
				}
			}
		})
	}
}

// A shallow clone that gets its history has a root commit from then on.
func TestShallowNoMore(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.git("", "clone", "-q", "--depth=1", "file://"+d.at("a"), "b")
	d.git("b", "remote", "set-url", "origin", forge)
	was := d.space("b")
	d.git("b", "fetch", "-q", "--unshallow", "../a")
	d.stays(was, "b")
	change(t, d, func(b *Book) {
		if len(b.Projects[0].Roots) != 1 {
			t.Errorf("no root commit in %+v", b.Projects)
		}
	})
	r := mustFind(t, d.at("b"))
	before := factsOf(r, true)
	d.write("b/.git/shallow", strings.Repeat("1", 40))
	one := factsOf(r, true)
	d.write("b/.git/shallow", strings.Repeat("2", 40))
	if two := factsOf(r, true); before == one || one == two {
		t.Error("where a history is cut is no fact")
	}
	d.remove("b/.git/shallow")
	d.git("a", "config", "x.y", "1")
	d.stays(was, "a") // it has no remote
}

// After a while git is asked again.
func TestGitIsAskedAgain(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.without(func() { d.space("a") })
	change(t, d, func(b *Book) {
		if p := b.Projects[0]; len(p.Roots) != 0 || p.Stamps[0].Again.IsZero() {
			t.Errorf("without git: %+v", p)
		}
		b.Projects[0].Stamps[0].Again = time.Now().Add(-time.Second)
	})
	d.space("a")
	change(t, d, func(b *Book) {
		if len(b.Projects) != 1 || len(b.Projects[0].Roots) != 1 {
			t.Errorf("with git: %+v", b.Projects)
		}
	})
}

func change(t *testing.T, d *desk, do func(*Book)) {
	t.Helper()
	if err := Change(d.data, func(b *Book) error { do(b); return nil }); err != nil {
		t.Fatal(err)
	}
}

// A repository that is known is answered for without starting git, whatever is checked out and committed.
func TestGitIsNotStarted(t *testing.T) {
	for name, make := range map[string]func(d *desk){
		"a repository": func(d *desk) { d.repository("a") },
		"an empty one": func(d *desk) { d.git("", "init", "-q", "a") },
		"a shallow one": func(d *desk) {
			d.repository("b")
			d.git("", "clone", "-q", "--depth=1", "file://"+d.at("b"), "a")
			d.git("a", "remote", "set-url", "origin", forge)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			make(d)
			d.mkdir("a/deep")
			d.space("a")
			if name != "an empty one" {
				d.commit("a")
				d.git("a", "checkout", "-q", "-b", "topic")
				d.git("a", "worktree", "add", "-q", "--detach", "../w")
			}
			calls := d.gitIs(`exec "$REAL" "$@"`)
			for _, dir := range []string{"a", "a/deep", "w"} {
				if !exists(d.at(dir)) {
					continue
				}
				for _, write := range []bool{false, true} {
					_, known, err := Space(t.Context(), d.data, d.at(dir), d.home, "salt", write)
					if !known || err != nil {
						t.Errorf("%s: known: %v, %v", dir, known, err)
					}
				}
			}
			if text, err := os.ReadFile(calls); err == nil {
				t.Errorf("git was started:\n%s", text)
			}
			d.git("a", "config", "x.y", "1")
			os.Remove(calls)
			d.space("a")
			if _, err := os.Stat(calls); err != nil {
				t.Error("the configuration changed, and git was not asked")
			}
		})
	}
}

// What git cannot read any more is the project that it was, and otherwise none.
func TestDamagedRepositories(t *testing.T) {
	for name, harm := range map[string]func(d *desk, dir string){
		"no HEAD":           func(d *desk, dir string) { d.remove(dir + "/.git/HEAD") },
		"an empty HEAD":     func(d *desk, dir string) { d.write(dir+"/.git/HEAD", "") },
		"HEAD without end":  func(d *desk, dir string) { d.write(dir+"/.git/HEAD", strings.Repeat("x", 1<<20)) },
		"no objects":        func(d *desk, dir string) { d.remove(dir + "/.git/objects") },
		"empty objects":     func(d *desk, dir string) { d.remove(dir + "/.git/objects"); d.mkdir(dir + "/.git/objects") },
		"a bad config":      func(d *desk, dir string) { d.write(dir+"/.git/config", "[[[\x00\n=\n[remote\nurl") },
		"an empty .git":     func(d *desk, dir string) { d.remove(dir + "/.git"); d.mkdir(dir + "/.git") },
		"a file .git":       func(d *desk, dir string) { d.remove(dir + "/.git"); d.write(dir+"/.git", "nonsense") },
		"a .git to nowhere": func(d *desk, dir string) { d.remove(dir + "/.git"); d.write(dir+"/.git", "gitdir: ../x") },
		"a .git to itself":  func(d *desk, dir string) { d.remove(dir + "/.git"); d.write(dir+"/.git", "gitdir: .git") },
		"a link to nowhere": func(d *desk, dir string) {
			d.remove(dir + "/.git")
			if err := os.Symlink("nowhere", d.at(dir+"/.git")); err != nil {
				d.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.repository("a")
			d.repository("b")
			d.repository("a/inner")
			outer, was := d.space("a"), d.space("a/inner")
			harm(d, "a/inner")
			d.stays(was, "a/inner")
			d.mkdir("a/inner/deep")
			d.stays(was, "a/inner/deep")
			d.stays(outer, "a")
			harm(d, "b") // was never seen
			d.space("b")
		})
	}
}

// The book's spaces are names that a space may have, and tell projects apart.
func TestSpaceNames(t *testing.T) {
	for _, id := range []Identity{
		{Path: "/srv/me"}, {Path: "/srv/main"}, {Path: "/"}, {Path: "/srv/日本"}, {Path: "/x/..."}, {Path: `C:\a b`},
		{Path: "/x/" + strings.Repeat("long", 50)}, {Path: "/x/.dotfiles"}, {Path: "/srv/engine.git"},
		{Remote: "forge.example/ada/C++ & co"}, {Remote: "forge.example/ada/-x-"}, {Root: "abc"}, {},
	} {
		space := id.Space("salt")
		if err := memory.CheckSpaceName(space); err != nil {
			t.Errorf("%+v: %q: %v", id, space, err)
		}
		if space == id.Space("pepper") {
			t.Errorf("%q does not change with the salt", space)
		}
	}
	for want, id := range map[string]Identity{
		"engine": {Path: "/srv/engine.git"}, "engine-x": {Remote: "f.example/ada/Engine X"}, "project": {Path: "/srv/日本"},
		"ada": {Path: "/srv/ada/.bare"},
	} {
		if got, _, _ := strings.Cut(id.Space("s"), "-"); !strings.HasPrefix(id.Space("s"), want+"-") {
			t.Errorf("%+v: the name is %q, want %q", id, got, want)
		}
	}
	a := Identity{Root: "1", Remote: "Forge.example/Ada/Engine", Path: "/home/a/engine", Name: "engine"}
	b := Identity{Remote: "forge.example/ada/engine", Path: "/srv/x", Name: "engine", Unsure: true}
	if a.Space("s") != b.Space("s") {
		t.Errorf("a clone and a shallow one of another machine: %q and %q", a.Space("s"), b.Space("s"))
	}
}

func TestBind(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.mkdir("plain")
	const shared = "did:key:z6Mk/team"
	bind := func(dir, space string) error { return Bind(t.Context(), d.data, d.at(dir), d.home, "salt", space) }
	own, _, _ := Space(t.Context(), d.data, d.at("a"), d.home, "salt", false)
	if done, err := Unbind(t.Context(), d.data, d.at("a"), d.home); done || err != nil {
		t.Errorf("nothing is bound: %v, %v", done, err)
	}
	for _, wrong := range []string{"", "team", "/team", "did:key:z6Mk/", "did:key:z6Mk/a/b", "did:key:z6Mk/a b"} {
		if bind("a", wrong) == nil {
			t.Errorf("bound to %q", wrong)
		}
	}
	if err := bind("plain", shared); err == nil {
		t.Error("a directory outside of any repository was bound")
	}
	if err := bind("a", shared); err != nil {
		t.Fatal(err)
	}
	d.git("", "clone", "-q", "a", "b")
	d.stays(shared, "b")
	d.git("a", "config", "x.y", "1")
	d.stays(shared, "a")
	if done, err := Unbind(t.Context(), d.data, d.at("b"), d.home); !done || err != nil {
		t.Errorf("Unbind = %v, %v", done, err)
	}
	d.stays(own, "a")
	if _, err := os.Stat(filepath.Join(d.data, File)); err != nil {
		t.Error(err)
	}
}
