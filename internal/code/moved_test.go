package code

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestRenamesAreFollowed(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("keep.go", "package garden\n")
	r.commit("begin")
	refs := r.pin("a.go", "a.go#Water", "a.go:4-9", "a.go#Bed")
	if err := os.Mkdir(r.path("with ü"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("mv", "a.go", "with ü/b c.go")
	r.commit("move")
	for _, e := range refs {
		if f := r.expect(e, Options{}, Verified, "a.go is with ü/b c.go now"); f.Path != "with ü/b c.go" || f.Commit != "" {
			t.Errorf("%s = %+v, want it in with ü/b c.go", Text(e), f)
		}
	}
	r.git("mv", "--", "with ü/b c.go", "-d.go")
	r.write("-d.go", "\n"+strings.Replace(garden, "return 2", "return 3", 1))
	c := r.commit("move and edit")
	r.commit("more")
	for _, e := range refs[:3] {
		if f := r.expect(e, Options{}, NeedsReview, "now -d.go, changed", c[:7]); f.Path != "-d.go" || f.Commit != c {
			t.Errorf("%s = %+v, want it in -d.go", Text(e), f)
		}
	}
	f := r.expect(refs[3], Options{}, Verified)
	moved := f.Follow(refs[3])
	if moved.Path != "-d.go" {
		t.Errorf("Follow = %+v, want -d.go", moved)
	}
	r.expect(moved, Options{}, Verified)
	r.remove("-d.go")
	c = r.commit("away")
	r.expect(refs[0], Options{}, Stale, "a.go, now -d.go, was deleted", c[:7])
}

func TestRenameOnABranch(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	e := r.pin("a.go#Water")[0]
	r.git("checkout", "-q", "-b", "side")
	r.git("mv", "a.go", "b.go")
	r.commit("move")
	r.git("checkout", "-q", "main")
	r.write("other", "x")
	r.commit("meanwhile")
	r.git("merge", "-q", "--no-edit", "side")
	r.expect(e, Options{}, Verified, "b.go")
	// The merge itself may be what moves a file.
	r.git("checkout", "-q", "-b", "again")
	r.write("third", "x")
	r.commit("third")
	r.git("checkout", "-q", "main")
	r.write("fourth", "x")
	r.commit("fourth")
	r.git("merge", "-q", "--no-commit", "again")
	r.git("mv", "b.go", "c.go")
	r.commit("merge")
	r.expect(e, Options{}, Verified, "c.go")
}

// TestMovedWithoutTheCommit: the commit that moved a file may not be there, or
// not show it.
func TestMovedWithoutTheCommit(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	refs := r.pin("a.go", "a.go#Water")
	r.git("rm", "-q", "a.go")
	r.write("dir/other.go", "package other\n")
	gone := r.commit("delete")
	r.write("dir/a.go", garden)
	r.commit("bring back elsewhere")
	r.expect(refs[0], Options{}, Verified, "dir/a.go")
	r.expect(refs[1], Options{}, Stale, gone[:7])
}

func TestShallowClone(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("b.go", garden+"// b\n")
	r.write("c.go", garden+"// c\n")
	r.commit("begin")
	refs := r.pin("a.go", "a.go#Water", "b.go", "c.go:4-9", "c.go#Bed")
	r.write("lib/x.go", "package lib\n")
	r.git("mv", "b.go", "lib/b.go")
	r.git("rm", "-q", "a.go")
	r.write("c.go", "\n"+garden)
	last := r.commit("change")
	dir := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, dir)
	s := &repo{t, dir}
	s.expect(refs[0], Options{}, Stale, "there is no file a.go")
	s.expect(refs[1], Options{}, Stale, "there is no file a.go")
	s.expect(refs[2], Options{}, Verified, "lib/b.go")
	s.expect(refs[3], Options{}, Verified, "5-10 now")
	s.expect(refs[4], Options{}, Verified)
	changed := refs[3]
	changed.SHA256 = hashOf("something else")
	s.expect(changed, Options{}, NeedsReview, last[:7])
}

func TestRebasedAway(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	r.write("b.go", garden)
	r.write("c.go", garden)
	lost := r.commit("to be rebased")
	refs := r.pin("b.go#Water", "b.go", "c.go:4-9")
	c := NewCache(filepath.Join(t.TempDir(), "cache"))
	r.check(Options{Cache: c}, refs...)
	r.git("reset", "-q", "--hard", "HEAD~1")
	r.write("b.go", garden)
	r.write("c.go", "\n"+strings.Replace(garden, "return 2", "return 3", 1))
	now := r.commit("rebased")
	r.git("reflog", "expire", "--expire=now", "--all")
	r.git("gc", "-q", "--prune=now")
	for _, o := range []Options{{}, {Cache: c}, {Cache: c}} {
		r.expect(refs[0], o, Verified)
		r.expect(refs[1], o, Verified)
		r.expect(refs[2], o, NeedsReview, now[:7])
	}
	if refs[0].Commit != lost {
		t.Fatalf("pinned at %s, want %s", refs[0].Commit, lost)
	}
}

func TestDetachedHeadAndWorktree(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	first := r.commit("begin")
	e := r.pin("a.go#Water")[0]
	r.write("a.go", strings.Replace(garden, "return 2", "return 3", 1))
	r.commit("change")
	other := filepath.Join(t.TempDir(), "other tree")
	r.git("worktree", "add", "-q", "--detach", other, first)
	w := &repo{t, other}
	w.expect(e, Options{}, Verified)
	w.expect(e, Options{Uncommitted: true}, Verified)
	if got, want := w.pin("a.go#Water")[0], e; got != want {
		t.Errorf("pinned in the worktree = %+v, want %+v", got, want)
	}
	r.expect(e, Options{}, NeedsReview)
	r.git("checkout", "-q", "--detach", first)
	r.expect(e, Options{}, Verified)
}

func TestSubmodule(t *testing.T) {
	inner := newRepo(t)
	inner.write("x.go", garden)
	inner.commit("begin")
	r := newRepo(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "file://"+inner.dir, "lib")
	r.commit("take in lib")
	e := memory.Evidence{Type: "code", Path: "lib/x.go", SHA256: hashOf(garden)}
	r.expect(e, Options{}, Unknown, "lib is a submodule")
	e.Path = "lib"
	r.expect(e, Options{}, Unknown, "lib is a submodule")
	e.Path = "lib/x.go"
	if _, err := r.open().Pin(t.Context(), e); err == nil || !strings.Contains(err.Error(), "submodule lib") {
		t.Errorf("Pin = %v, want it refused for the submodule", err)
	}
	sub := &repo{t, r.path("lib")}
	sub.expect(sub.pin("x.go#Water")[0], Options{}, Verified)
}

func TestManyChanges(t *testing.T) {
	r := newRepo(t)
	var texts []string
	for i := range 2*maxPaths + 1 { // more than git is asked to search for
		name := fmt.Sprintf("d%d/f%d.txt", i%7, i)
		r.write(name, fmt.Sprintf("%d\n", i))
		texts = append(texts, name)
	}
	r.commit("begin")
	refs := r.pin(texts[0], texts[1], texts[2])
	for _, text := range texts[3:] {
		refs = append(refs, memory.Evidence{Type: "code", Path: text, SHA256: hashOf("else"), Commit: refs[0].Commit})
	}
	r.write(texts[0], "new\n")
	a := r.commit("a")
	r.git("mv", texts[1], "moved.txt")
	r.remove(texts[2])
	b := r.commit("b")
	findings := r.check(Options{}, refs...)
	for i, want := range []string{a, "", b} {
		if findings[i].Commit != want {
			t.Errorf("%s is changed in %q, want %q", texts[i], findings[i].Commit, want)
		}
	}
	for i, f := range findings[3:] {
		if f.State != NeedsReview || f.Commit != refs[0].Commit {
			t.Errorf("%s = %+v, want it changed in %s", texts[i+3], f, refs[0].Commit)
		}
	}
}
