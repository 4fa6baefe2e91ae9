package code

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestWhatDidNotChangeIsVerified(t *testing.T) {
	r := newRepo(t)
	r.write("garden.go", garden)
	r.commit("begin")
	refs := r.pin("garden.go", "garden.go#Water", "garden.go#Bed.Dig", "garden.go:4-9", "garden.go:1")
	for i, f := range r.check(Options{}, refs...) {
		if f.State != Verified || f.Reason != "" || f.Path != "garden.go" || f.SHA256 != refs[i].SHA256 {
			t.Errorf("%s = %+v, want verified", Text(refs[i]), f)
		}
	}
	// Something else in the file changes, and everything moves.
	r.write(
		"garden.go",
		strings.Replace(garden, "package garden\n", "// Package garden is green.\npackage garden\n\nimport \"fmt\"\n", 1),
	)
	r.commit("say more")
	r.expect(refs[0], Options{}, NeedsReview, "garden.go changed", "say more")
	if f := r.expect(refs[1], Options{}, Verified); f.Start != 7 || f.End != 12 {
		t.Errorf("Water is at %d-%d, want 7-12", f.Start, f.End)
	}
	r.expect(refs[2], Options{}, Verified)
	if f := r.expect(refs[3], Options{}, Verified, "7-12 now"); f.Start != 7 || f.End != 12 {
		t.Errorf("lines 4-9 are at %d-%d, want 7-12", f.Start, f.End)
	}
	r.expect(refs[4], Options{}, Verified, "2-2 now")
}

func TestWhatChangedNeedsReview(t *testing.T) {
	r := newRepo(t)
	r.write("garden.go", garden)
	r.commit("begin")
	refs := r.pin("garden.go", "garden.go#Water", "garden.go:5-7", "garden.go#Bed.Dig")
	r.write("garden.go", "\n\n"+strings.Replace(garden, "return 2", "return 3", 1))
	c := r.commit("more water for " + strings.Repeat("large gardens ", 9))
	r.commit("nothing to do with it")
	for _, e := range refs[:3] {
		f := r.expect(e, Options{}, NeedsReview, c[:7], "more water for large")
		if f.Commit != c || f.By != "Ada" || len(f.Reason) > 150 {
			t.Errorf("%s = %+v, want the commit %s by Ada, its subject cut", Text(e), f, c)
		}
	}
	r.expect(refs[3], Options{}, Verified)
	f := r.check(Options{}, refs[2])[0]
	if f.Start != 7 || f.End != 9 {
		t.Errorf("the changed lines are at %d-%d, want 7-9", f.Start, f.End)
	}
	// Said to hold as it is now, it holds.
	again, err := r.open().Pin(t.Context(), f.Follow(refs[2]))
	if err != nil || again.Start != 7 {
		t.Fatalf("pinned again = %+v, %v, want lines 7-9", again, err)
	}
	r.expect(again, Options{}, Verified)
}

func TestWhatIsGoneIsStale(t *testing.T) {
	r := newRepo(t)
	r.write("garden.go", garden)
	r.write("dir/shed.go", garden)
	r.write("other.go", garden)
	r.commit("begin")
	refs := r.pin("garden.go", "garden.go#Water", "garden.go:1-3", "dir/shed.go", "other.go#Bed.Dig", "other.go#Water")
	r.remove("garden.go")
	r.remove("dir/shed.go")
	r.write("other.go", strings.ReplaceAll(garden, "Dig", "Delve"))
	c := r.commit("tidy up")
	r.commit("nothing to do with it")
	findings := r.check(Options{}, refs...)
	for i, f := range findings[:4] {
		if f.State != Stale || f.Reason != refs[i].Path+" was deleted in "+c[:7]+` "tidy up"` || f.Commit != c {
			t.Errorf("%s = %+v, want stale by %s", Text(refs[i]), f, c)
		}
	}
	r.expect(refs[4], Options{}, Stale, "other.go no longer has the symbol Bed.Dig", c[:7])
	if got := Overall(findings[:5]); got != Stale {
		t.Errorf("Overall = %s, want stale", got)
	}
	r.expect(refs[5], Options{}, Verified)
}

func TestOverall(t *testing.T) {
	f := func(s State, reason string) Finding { return Finding{State: s, Reason: reason} }
	tests := []struct {
		list []Finding
		want State
		why  []string
	}{
		{nil, Unknown, nil},
		{[]Finding{f(Verified, "")}, Verified, nil},
		{[]Finding{f(Verified, "moved"), f(Unknown, "u")}, Unknown, []string{"u"}},
		{[]Finding{f(Unknown, "u"), f(NeedsReview, "changed"), f(Verified, "")}, NeedsReview, []string{"changed", "u"}},
		{[]Finding{f(NeedsReview, "changed"), f(Stale, "gone"), f(Stale, "gone")}, Stale, []string{"gone", "changed"}},
	}
	for _, tt := range tests {
		if got := Overall(tt.list); got != tt.want {
			t.Errorf("Overall(%v) = %s, want %s", tt.list, got, tt.want)
		}
		if got := Reasons(tt.list); !slices.Equal(got, tt.why) {
			t.Errorf("Reasons(%v) = %q, want %q", tt.list, got, tt.why)
		}
	}
}

// TestCopiesOfLines: that the same words stand elsewhere does not prove that the
// pinned ones did not change.
func TestCopiesOfLines(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "one\n}\ntwo\n}\nthree\n")
	r.commit("begin")
	refs := r.pin("a.txt:2", "a.txt:4")
	r.write("a.txt", "zero\none\n}\ntwo\n}\nthree\n")
	r.commit("all move")
	for i, want := range []int{3, 5} {
		if f := r.expect(refs[i], Options{}, Verified); f.Start != want {
			t.Errorf("line %d is %d now, want %d", refs[i].Start, f.Start, want)
		}
	}
	r.write("a.txt", "zero\none\n]\ntwo\n}\nthree\n")
	r.commit("one changes")
	r.expect(refs[0], Options{}, NeedsReview)
	// Without the commit, lines that moved are found if there is one place.
	refs[0].Commit, refs[1].Commit = "", strings.Repeat("0", 40)
	r.expect(refs[1], Options{}, Verified)
	r.write("a.txt", "zero\none\n}\ntwo\n\n}\nthree\n")
	r.commit("two places")
	r.expect(refs[1], Options{}, NeedsReview)
}

func TestLineEndings(t *testing.T) {
	dos := strings.ReplaceAll(garden, "\n", "\r\n")
	texts := []string{"a.go", "a.go#Water", "a.go:4-9"}
	for _, r := range []*repo{newRepo(t), plainDir(t)} {
		git := r.open().Plain() == ""
		for _, pair := range [][2]string{{garden, dos}, {dos, garden}} {
			r.write("a.go", pair[0])
			if git {
				r.commit("one way")
			}
			refs := r.pin(texts...)
			r.write("a.go", pair[1])
			if git {
				r.commit("the other way")
			}
			for _, e := range refs {
				r.expect(e, Options{}, Verified)
			}
		}
	}
}

func TestWithoutGit(t *testing.T) {
	r := plainDir(t)
	r.write("a.go", garden)
	r.write("b.go", garden)
	r.write("c.zig", "fn x() void {}\n")
	refs := r.pin("a.go", "a.go#Water", "a.go#Bed", "a.go:14", "b.go", "c.zig")
	for _, e := range refs {
		r.expect(e, Options{}, Verified)
	}
	r.write("a.go", "\n"+strings.Replace(garden, "return 2", "return 3", 1))
	r.remove("b.go")
	r.expect(refs[0], Options{}, NeedsReview, "a.go changed")
	r.expect(refs[1], Options{Uncommitted: true}, NeedsReview, "a.go#Water changed")
	r.expect(refs[2], Options{}, Verified)
	if f := r.expect(refs[3], Options{}, Verified); f.Start != 15 {
		t.Errorf("the line is %d now, want 15", f.Start)
	}
	r.expect(refs[4], Options{}, Stale, "there is no file b.go")
	zig := refs[5]
	zig.Symbol = "x"
	r.expect(zig, Options{}, Unknown, ".zig")
	r.write("a.go", strings.Replace(garden, "func Water", "func Rain", 1))
	r.expect(refs[1], Options{}, Stale, "a.go no longer has the symbol Water")
}

func TestUncommitted(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("b.go", "package other\n")
	r.write("c.go", garden)
	r.commit("begin")
	refs := r.pin("a.go#Water", "a.go#Bed", "b.go", "c.go")
	r.write("a.go", strings.Replace(garden, "return 2", "return 3", 1))
	r.remove("b.go")
	r.git("mv", "c.go", "d.go")
	for _, e := range refs {
		r.expect(e, Options{}, Verified)
	}
	dirty := Options{Uncommitted: true}
	if f := r.expect(refs[0], dirty, NeedsReview, "uncommitted changes"); !f.Uncommitted || f.Commit != "" {
		t.Errorf("a.go#Water = %+v, want it uncommitted and without a commit", f)
	}
	r.expect(refs[1], dirty, Verified)
	r.expect(refs[2], dirty, Stale, "b.go is deleted, which is not committed")
	if f := r.expect(refs[3], dirty, Verified, "d.go"); f.Path != "d.go" {
		t.Errorf("c.go is at %s, want d.go", f.Path)
	}
	c := r.commit("now it is")
	r.expect(refs[0], dirty, NeedsReview, c[:7])
	r.expect(refs[2], dirty, Stale, c[:7])
	// Taken back, but not committed.
	r.write("a.go", garden)
	r.expect(refs[0], Options{}, NeedsReview)
	r.expect(refs[0], dirty, Verified)
}

func TestNotCheckedOut(t *testing.T) {
	r := newRepo(t)
	r.write("in/a.go", garden)
	r.write("out/b.go", garden)
	r.commit("begin")
	e := r.pin("out/b.go")[0]
	r.git("sparse-checkout", "set", "in")
	if _, err := os.Stat(r.path("out/b.go")); err == nil {
		t.Fatal("out/b.go is there: this would prove nothing")
	}
	r.expect(e, Options{Uncommitted: true}, Verified)
}

func TestPinnedFromUncommittedWork(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	work := strings.Replace(garden, "return 2", "return 3", 1)
	r.write("a.go", work)
	r.write("new.go", work)
	refs := r.pin("a.go#Water", "new.go")
	for _, e := range refs {
		r.expect(e, Options{}, Verified) // as the files
	}
	r.write("a.go", strings.Replace(garden, "return 2", "return 4", 1))
	r.expect(refs[0], Options{}, NeedsReview, "uncommitted changes")
	r.write("a.go", garden)
	r.expect(refs[0], Options{}, NeedsReview, "not kept")
	r.write("a.go", work)
	r.commit("keep it")
	r.write("a.go", "package a\n")
	r.remove("new.go")
	for _, e := range refs {
		r.expect(e, Options{}, Verified) // as HEAD
	}
	r.write("a.go", "package a\n")
	c := r.commit("throw it away")
	r.expect(refs[0], Options{}, Stale, c[:7])
	r.expect(refs[1], Options{}, Stale, c[:7], "new.go")
	e := r.pin("a.go")[0]
	r.write("untracked.go", work)
	u := r.pin("untracked.go")[0]
	r.remove("untracked.go")
	r.expect(e, Options{}, Verified)
	r.expect(u, Options{}, Stale, "untracked.go")
}

func TestUnknownCodeStates(t *testing.T) {
	r := newRepo(t)
	r.write("a.zig", "fn x() void {}\n")
	r.write("a.c", "int x(void) { return 1; }\n")
	r.write("twice.py", "def x():\n    return 1\n")
	r.write("l", "x")
	r.write("d", "x")
	r.commit("begin")
	refs := r.pin("a.c#x", "twice.py#x", "l", "d", "a.zig")
	zig := refs[4]
	zig.Symbol = "x"
	r.expect(zig, Options{}, Unknown, "a.zig")
	unpinned := refs[0]
	unpinned.SHA256 = ""
	r.expect(unpinned, Options{}, Unknown, "never pinned")
	r.expect(unpinned, Options{Uncommitted: true}, Unknown, "never pinned")
	other := refs[0]
	other.Type = "url"
	r.expect(other, Options{}, Unknown, "no code ref")

	r.write("twice.py", "def x():\n    return 1\ndef x():\n    return 2\n")
	r.remove("l")
	r.link("a.c", "l")
	r.remove("d")
	r.write("d/x", "x")
	r.write("a.c", strings.Repeat("x\n", maxFile))
	r.commit("make it hard")
	r.expect(refs[0], Options{}, Unknown, "too big")
	r.expect(refs[1], Options{}, Unknown, "x")
	r.expect(refs[2], Options{}, Unknown, "symbolic link")
	r.expect(refs[3], Options{}, Unknown, "directory")
	for _, e := range refs[:4] {
		r.expect(e, Options{Uncommitted: true}, Unknown)
	}
}

func TestAnotherRepository(t *testing.T) {
	r := newRepo(t)
	r.git("remote", "add", "origin", "git@github.com:a/b.git")
	r.write("a.go", garden)
	r.commit("begin")
	same, foreign := r.pin("a.go#Water")[0], r.pin("a.go#Water")[0]
	if same.Repo != "github.com/a/b" {
		t.Errorf("Repo = %q, want github.com/a/b", same.Repo)
	}
	foreign.Repo, foreign.Commit = "github.com/else/where", strings.Repeat("ab", 20)
	r.expect(foreign, Options{}, Verified)
	renamed := same
	renamed.Repo = "github.com/old/name"
	r.write("a.go", strings.Replace(garden, "return 2", "return 3", 1))
	r.commit("change")
	r.expect(same, Options{}, NeedsReview)
	r.expect(renamed, Options{}, NeedsReview) // its commit is here: the repository has another name now
	r.expect(foreign, Options{}, Unknown, "another repository (github.com/else/where)")
	foreign.Path = "gone.go"
	r.expect(foreign, Options{}, Unknown, "another repository")
	c := NewCache(filepath.Join(t.TempDir(), "c"))
	r.expect(foreign, Options{Cache: c}, Unknown, "another repository")
	r.expect(foreign, Options{Cache: c, Uncommitted: true}, Unknown, "another repository")
}

// Without a remote nothing names a repository: what is missing from one that
// never had the commit may be another's.
func TestNamelessRepository(t *testing.T) {
	there, here := newRepo(t), newRepo(t)
	there.write("a.go", garden)
	there.commit("begin")
	ref := there.pin("a.go")[0]
	here.write("b.go", garden)
	here.commit("begin")
	here.expect(ref, Options{}, Unknown, "may be of another repository")
	there.git("rm", "-q", "a.go")
	there.commit("end")
	there.expect(ref, Options{}, Stale)
}

func TestOneOrder(t *testing.T) {
	r := newRepo(t)
	r.write("z.go", garden)
	r.write("a.go", garden)
	r.commit("begin")
	refs := r.pin("z.go", "a.go#Bed", "z.go#Water", "a.go")
	refs = append(refs, memory.Evidence{Type: "code", Path: "../x"}, refs[0])
	for i, f := range r.check(Options{}, refs...) {
		if f.Path != refs[i].Path {
			t.Errorf("finding %d is of %s, want %s", i, f.Path, refs[i].Path)
		}
	}
}
