package code

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func (r *repo) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *repo) has(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

func (r *repo) install(line string) []string {
	r.t.Helper()
	paths, err := InstallHook(r.t.Context(), r.dir, line, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return paths
}

func TestHookRuns(t *testing.T) {
	r := newRepo(t)
	r.write(".git/info/exclude", "ran\n")
	r.write("sub/a", "x")
	want := []string{r.path(".git/hooks/post-commit"), r.path(".git/hooks/post-merge")}
	if err := os.RemoveAll(r.path(".git/hooks")); err != nil { // as some templates have it
		t.Fatal(err)
	}
	paths, err := InstallHook(t.Context(), r.path("sub"), "echo ran >>ran; exit 3", nil)
	if err != nil || !slices.Equal(paths, want) {
		t.Fatalf("InstallHook = %v, %v, want %v", paths, err, want)
	}
	r.commit("begin") // fails the test if it fails
	if got := r.read("ran"); got != "ran\n" {
		t.Errorf("after a commit ran = %q, want one line", got)
	}
	first := r.read(".git/hooks/post-commit")
	r.install("echo ran >>ran; exit 3")
	if got := r.read(".git/hooks/post-commit"); got != first {
		t.Errorf("installed again = %q, want %q", got, first)
	}
	r.install("echo other >>ran")
	r.git("checkout", "-q", "-b", "side")
	r.commit("side")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "side")
	if got, want := r.read("ran"), "ran\nother\nother\n"; got != want {
		t.Errorf("after a commit and a merge ran = %q, want %q", got, want)
	}
	removed, err := RemoveHook(t.Context(), r.dir)
	if err != nil || !slices.Equal(removed, want) || r.has(".git/hooks/post-commit") || r.has(".git/hooks/post-merge") {
		t.Errorf("RemoveHook = %v, %v, want both gone", removed, err)
	}
	if removed, err := RemoveHook(t.Context(), r.dir); err != nil || len(removed) > 0 {
		t.Errorf("RemoveHook again = %v, %v, want nothing", removed, err)
	}
}

func TestHookIsAdded(t *testing.T) {
	for _, theirs := range []string{
		"#!/bin/sh\necho theirs >>ran\n",
		"#!/usr/bin/env bash\nset -e\necho theirs >>ran",
		"#! /bin/dash -e\necho theirs >>ran\nexit 0\n",
		"#!/bin/sh\nexec sh -c 'echo theirs >>ran'\n",
	} {
		r := newRepo(t)
		r.write(".git/hooks/post-commit", theirs)
		if err := os.Chmod(r.path(".git/hooks/post-commit"), 0o700); err != nil {
			t.Fatal(err)
		}
		r.install("echo ours >>ran; false")
		r.commit("begin")
		if got := r.read("ran"); !strings.Contains(got, "theirs\n") || strings.Count(got, "ours\n") != 1 {
			t.Errorf("beside %q ran = %q, want theirs and ours", theirs, got)
		}
		r.install("echo more >>ran")
		r.commit("again")
		if got := r.read("ran"); strings.Count(got, "theirs\n") != 2 || strings.Count(got, "ours\n") != 1 ||
			strings.Count(got, "more\n") != 1 {
			t.Errorf("installed again ran = %q", got)
		}
		if info, err := os.Stat(r.path(".git/hooks/post-commit")); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode = %v, want 0700 as it was", info.Mode())
		}
		if _, err := RemoveHook(t.Context(), r.dir); err != nil {
			t.Fatal(err)
		}
		if got := r.read(".git/hooks/post-commit"); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(theirs, "\n") {
			t.Errorf("removed = %q, want %q", got, theirs)
		}
	}
	r := newRepo(t)
	r.write(".git/hooks/post-commit", "#!/bin/sh\necho theirs\n") // mode 0644
	if _, err := RemoveHook(t.Context(), r.dir); err != nil {
		t.Fatal(err)
	}
	mode := func() os.FileMode {
		info, err := os.Stat(r.path(".git/hooks/post-commit"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if got := mode(); got != 0o644 {
		t.Errorf("a hook that was not ours has mode %v after RemoveHook, want 0644", got)
	}
	if _, err := InstallHook(t.Context(), r.dir, "true", nil); err == nil ||
		!strings.Contains(err.Error(), "cannot be run") || mode() != 0o644 {
		t.Errorf("installed beside a hook that is switched off: %v, mode %v, want it refused and 0644", err, mode())
	}
}

func TestHookRefuses(t *testing.T) {
	r := newRepo(t)
	post := ".git/hooks/post-merge"
	refused := func(dir, line, want string) {
		t.Helper()
		_, err := InstallHook(t.Context(), dir, line, nil)
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("InstallHook = %v, want it refused with %q", err, want)
		}
		if r.has(".git/hooks/post-commit") {
			t.Error("post-commit was written all the same")
		}
	}
	refused(r.dir, "", "one line")
	refused(r.dir, "a\nb", "one line")
	for _, theirs := range []string{
		"#!/usr/bin/env python3\nprint()\n", "echo no first line\n", "\x7fELF", "",
		"#!/usr/bin/env node\n// sh\n",
	} {
		r.write(post, theirs)
		refused(r.dir, "true", "no sh script")
		if got := r.read(post); got != theirs {
			t.Errorf("it became %q, want %q", got, theirs)
		}
	}
	for _, theirs := range []string{hookFirst + hookBegin + "\ntrue\n", hookFirst + hookEnd + "\n",
		hookFirst + hookEnd + "\n" + hookBegin + "\n",
		hookFirst + hookBegin + "\n" + hookBegin + "\n" + hookEnd + "\n"} {
		r.write(post, theirs)
		refused(r.dir, "true", "by hand")
	}
	r.remove(post)
	r.link("../../elsewhere", post)
	refused(r.dir, "true", "no regular file")
	r.remove(post)
	plain := plainDir(t)
	refused(plain.dir, "true", "not a git repository")

	outside := t.TempDir()
	r.git("config", "core.hooksPath", outside)
	refused(r.dir, "true", "outside of this repository")
	r.git("config", "core.hooksPath", "../elsewhere")
	refused(r.dir, "true", "outside of this repository")
	r.link(outside, "led")
	r.git("config", "core.hooksPath", "led/hooks")
	refused(r.dir, "true", "outside of this repository")
	r.git("config", "core.hooksPath", "tools/hooks")
	if got, want := r.install("echo ran >>ran"), []string{
		r.path("tools/hooks/post-commit"), r.path("tools/hooks/post-merge"),
	}; !slices.Equal(got, want) {
		t.Errorf("InstallHook = %v, want %v", got, want)
	}
	r.commit("begin")
	if got := r.read("ran"); got != "ran\n" {
		t.Errorf("ran = %q, want one line", got)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside = %v, %v, want nothing", left, err)
	}
}

func TestHookOfAWorktree(t *testing.T) {
	r := newRepo(t)
	r.commit("begin")
	other := filepath.Join(t.TempDir(), "other")
	r.git("worktree", "add", "-q", other)
	paths, err := InstallHook(t.Context(), other, "true", nil)
	if err != nil || paths[0] != r.path(".git/hooks/post-commit") {
		t.Errorf("InstallHook = %v, %v, want the hooks of the repository", paths, err)
	}
}
