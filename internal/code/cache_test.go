package code

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// counted runs a check with a git that says how often it was run for what.
func (r *repo) counted(t *testing.T, check func()) []string {
	t.Helper()
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + log + "'\nPATH='" + os.Getenv("PATH") + "' exec git \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	old := os.Getenv("PATH")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+old)
	defer t.Setenv("PATH", old)
	check()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var verbs []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		for i := 0; i < len(words); i++ {
			if words[i] == "-c" {
				i++
			} else if !strings.HasPrefix(words[i], "-") {
				verbs = append(verbs, words[i])
				break
			}
		}
	}
	return verbs
}

func TestCache(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go"} {
		r.write(name, garden+"// "+strings.Repeat(name, 9)+"\n")
	}
	r.commit("begin")
	refs := r.pin("a.go#Water", "b.go", "c.go:4-9", "d.go", "e.go#Bed", "f.go")
	r.write("b.go", "package garden\n")
	r.remove("d.go")
	r.git("mv", "f.go", "g.go")
	r.write("e.go", strings.ReplaceAll(garden, "Bed", "Plot"))
	r.commit("change")
	path := filepath.Join(t.TempDir(), "cache")
	first := r.check(Options{Cache: NewCache(path)}, refs...)
	for i, want := range []State{Verified, NeedsReview, Verified, Stale, Stale, Verified} {
		if first[i].State != want {
			t.Errorf("%s is %s, want %s", Text(refs[i]), first[i].State, want)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the cache = %v, %v, want mode 0600", info, err)
	}
	again := func(what string, want []Finding, verbs ...string) {
		t.Helper()
		tree := r.open()
		var got []Finding
		run := r.counted(t, func() {
			var err error
			if got, err = tree.Check(t.Context(), refs, Options{Cache: NewCache(path)}); err != nil {
				t.Fatal(err)
			}
		})
		if fmt.Sprint(run) != fmt.Sprint(verbs) {
			t.Errorf("%s: git ran %v, want %v", what, run, verbs)
		}
		for i := range refs {
			if got[i] != want[i] {
				t.Errorf("%s: %s = %+v, want %+v", what, Text(refs[i]), got[i], want[i])
			}
		}
		if fresh := r.check(Options{}, refs...); !reflect.DeepEqual(fresh, want) {
			t.Errorf("%s: without the cache = %+v, want %+v", what, fresh, want)
		}
	}
	again("nothing changed", first, "rev-parse")

	r.write("other", "x")
	r.commit("nothing to do with them")
	again("another file changed", first, "rev-parse", "cat-file", "merge-base", "log", "diff-tree") // for g.go
	again("and nothing after", first, "rev-parse")

	r.write("a.go", strings.Replace(garden, "return 2", "return 3", 1))
	c := r.commit("change a")
	second := append([]Finding{}, first...)
	second[0] = r.expect(refs[0], Options{}, NeedsReview, c[:7])
	again("a changed", second, "rev-parse", "cat-file", "merge-base", "log", "diff-tree", "log")

	r.write("d.go", garden+"// "+strings.Repeat("d.go", 9)+"\n")
	r.commit("bring back d")
	second[3] = r.expect(refs[3], Options{}, Verified)
	again("d is back", second, "rev-parse", "cat-file", "merge-base", "log", "diff-tree")

	r.git("reset", "-q", "--hard", "HEAD~3")
	again("back to the beginning", first, "rev-parse", "cat-file", "merge-base", "log", "diff-tree", "ls-tree", "log")
}

// TestCacheOfARewrittenHistory: a commit that is named must be in the history.
func TestCacheOfARewrittenHistory(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	e := r.pin("a.go")[0]
	r.write("a.go", "package a\n")
	old := r.commit("change")
	o := Options{Cache: NewCache(filepath.Join(t.TempDir(), "cache"))}
	r.expect(e, o, NeedsReview, old[:7])
	r.git("commit", "-q", "--amend", "-m", "change, said better")
	now := r.git("rev-parse", "HEAD")
	r.expect(e, o, NeedsReview, now[:7], "said better")
}

// TestCacheIsNotBelieved: files that we did not write, or that say what no one
// saw, are as none.
func TestCacheIsNotBelieved(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	e := r.pin("a.go")[0]
	r.write("a.go", "package a\n")
	c := r.commit("change")
	old := r.git("rev-parse", "HEAD~1")
	blob := r.git("rev-parse", "HEAD:a.go")
	path := filepath.Join(t.TempDir(), "cache")
	entry := func(s string) string { return fmt.Sprintf(`{"stemma_code":2,"refs":{%q:{%s}}}`, key(e), s) }
	for _, text := range []string{"", "{", "null", "[]", `"x"`, "\x00\xff", `{"stemma_code":2}`,
		`{"stemma_code":2,"refs":{"x":{}}}`,
		strings.Replace(entry(`"h":"`+c+`","b":"`+blob+`","s":"verified"`), `":2`, `":1`, 1),
		strings.Replace(entry(`"h":"`+c+`","b":"`+blob+`","s":"verified"`), `":2`, `":3`, 1),
		entry(`"h":"` + c + `","s":"verified"`),
		entry(`"h":"` + c + `","b":"` + blob + `","s":"sound"`),
		entry(`"h":"` + c + `","b":"` + blob + `","s":"unknown"`),
		entry(`"h":"HEAD","b":"` + blob + `","s":"verified"`),
		entry(`"h":"--help","b":"` + blob + `","s":"needs_review"`),
		entry(`"h":"` + c + `","b":"` + blob + `","s":"needs_review","r":"\u001b[31m"`),
		entry(`"h":"` + c + `","b":"` + blob + `","s":"verified","p":"../x"`),
		entry(`"h":"` + old + `","b":"` + strings.Repeat("0", 40) + `","s":"verified"`),
		entry(`"h":"` + strings.Repeat("0", 40) + `","b":"` + blob + `","s":"needs_review","r":"nobody said so"`),
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if f := r.expect(e, Options{Cache: NewCache(path)}, NeedsReview, c[:7]); f.Commit != c {
			t.Errorf("with the cache %s: %+v", text, f)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("with the cache %s: written as %v, %v, want a file of mode 0600", text, info.Mode(), err)
		}
	}
	for _, place := range []string{"/nowhere/at/all", t.TempDir()} {
		r.expect(e, Options{Cache: NewCache(place)}, NeedsReview, c[:7])
	}
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	r.expect(e, Options{Cache: NewCache(path)}, NeedsReview)
	if text, err := os.ReadFile(target); err != nil || string(text) != "mine" {
		t.Errorf("where a link led = %q, %v, want it as it was", text, err)
	}
}

func TestCacheHoldsNothingUncommitted(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("b.go", "package other\n")
	r.commit("begin")
	refs := r.pin("a.go")
	r.write("b.go", garden)
	refs = append(refs, r.pin("b.go")...) // dirty
	r.write("a.go", "package a\n")
	o := Options{Cache: NewCache(filepath.Join(t.TempDir(), "cache"))}
	u := Options{Cache: o.Cache, Uncommitted: true}
	for range 2 {
		r.expect(refs[0], u, NeedsReview, "uncommitted")
		r.expect(refs[0], o, Verified)
		r.expect(refs[1], o, Verified)
	}
	r.write("a.go", garden)
	r.write("b.go", "package other\n")
	r.expect(refs[0], u, Verified)
	r.expect(refs[1], u, NeedsReview)
	r.expect(refs[1], o, NeedsReview)
}

func TestTreeAndCacheAreShared(t *testing.T) {
	r := newRepo(t)
	r.git("remote", "add", "origin", "git@github.com:a/b.git")
	r.write("a.go", garden)
	r.commit("begin")
	refs := r.pin("a.go", "a.go#Water")
	r.write("a.go", strings.Replace(garden, "rows", "row", 2))
	r.commit("change")
	tree, cache := r.open(), NewCache(filepath.Join(t.TempDir(), "cache"))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			findings, err := tree.Check(t.Context(), refs, Options{Cache: cache})
			if err != nil || findings[0].State != NeedsReview || findings[1].State != Verified {
				t.Errorf("Check = %+v, %v, want one changed and one verified", findings, err)
			}
		})
	}
	all.Wait()
}
