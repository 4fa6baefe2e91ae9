package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs git in a directory as a person does.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	args = append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// repositories makes a repository a with a worktree w, a submodule a/sub, a bare bare.git and one of its own in a/in.
func repositories(t *testing.T) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "lib", "a/in"} {
		dir := filepath.Join(top, name)
		run(t, top, "init", "-q", dir)
		run(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	}
	a := filepath.Join(top, "a")
	run(t, a, "worktree", "add", "-q", "--detach", "../w")
	run(t, a, "submodule", "add", "-q", "../lib", "sub")
	run(t, top, "clone", "-q", "--bare", "a", "bare.git")
	run(t, filepath.Join(top, "bare.git"), "worktree", "add", "-q", "--detach", "../v")
	for _, dir := range []string{"a/deep/er", "plain", "w/deep", "odd/.git", "a/odd/.git"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a/deep", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	return top
}

// git itself agrees with what is found by reading files.
func TestFind(t *testing.T) {
	top := repositories(t)
	t.Setenv("GIT_DIR", "/nowhere")
	for path, want := range map[string]string{
		"a": "a a/.git a/.git a", "a/deep/er": "a a/.git a/.git a", "link/er": "a a/.git a/.git a",
		"link/not/there": "a a/.git a/.git a", "w/deep": "w a/.git/worktrees/w a/.git a",
		"a/sub": "a/sub a/.git/modules/sub a/.git/modules/sub a/sub", "a/in": "a/in a/in/.git a/in/.git a/in",
		"bare.git": "bare.git bare.git bare.git bare.git", "bare.git/refs": "bare.git bare.git bare.git bare.git",
		"v": "v bare.git/worktrees/v bare.git bare.git", "a/.git": "a a/.git a/.git a", "a/.git/hooks": "a a/.git a/.git a",
		"a/odd": "a a/.git a/.git a", "odd": "", "plain": "", "not/there": "",
	} {
		r, ok := Find(filepath.Join(top, path))
		got := ""
		if ok {
			got = strings.Join([]string{r.Dir, r.GitDir, r.Common, r.Main()}, " ")
			got = strings.ReplaceAll(got, top+"/", "")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if _, err := os.Stat(filepath.Join(top, path)); err != nil || strings.Contains(path, "/.git") {
			continue
		}
		cmd, _ := Command(t.Context(), filepath.Join(top, path), "rev-parse", "--path-format=absolute", "--git-common-dir")
		out, err := cmd.Output()
		if said := strings.TrimSpace(string(out)); (err == nil) != ok || ok && said != r.Common {
			t.Errorf("%s: git says %q (%v), found %q", path, said, err, r.Common)
		}
	}
	if r, ok := Find(filepath.Join(top, "bare.git")); !ok || !r.Bare() {
		t.Errorf("%+v is not bare", r)
	}
	if r, _ := Find(filepath.Join(top, "a")); r.Bare() {
		t.Errorf("%+v is bare", r)
	}
}

// What a worktree names is found although git forgot the worktree, and nothing is where that is no repository.
func TestFindWhatIsBroken(t *testing.T) {
	top := repositories(t)
	run(t, filepath.Join(top, "a"), "worktree", "remove", "--force", filepath.Join(top, "w"))
	for text, want := range map[string]string{
		"gitdir: ../a/.git/worktrees/w": "a/.git", "gitdir: " + top + "/a/.git\n": "a/.git", "gitdir:../a/.git": "a/.git",
		"gitdir: ../a/.git/worktrees": "", "gitdir: ../plain/worktrees/w": "", "gitdir: .git": "", "gitdir:": "", "x": "",
		"": "", "gitdir: ../a/deep": "", "gitdir: " + strings.Repeat("x/", 1<<18): "",
	} {
		if err := os.RemoveAll(filepath.Join(top, "w")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(top, "w"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, "w", ".git"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, ok := Find(filepath.Join(top, "w"))
		if got := strings.TrimPrefix(r.Common, top+"/"); ok != (want != "") || ok && got != want {
			t.Errorf("%.40q: found %v, %q, want %q", text, ok, got, want)
		}
	}
}

// A main checkout is where its .git leads back.
func TestMainCheckout(t *testing.T) {
	top := repositories(t)
	sub := filepath.Join(top, "a/sub")
	r, ok := Find(sub)
	if !ok || r.Main() != sub {
		t.Fatalf("%+v: its main checkout is %s", r, r.Main())
	}
	for _, other := range []string{"a", "plain", "not/there"} {
		run(t, sub, "config", "-f", filepath.Join(r.Common, "config"), "core.worktree", filepath.Join(top, other))
		if got := r.Main(); got != r.Common {
			t.Errorf("the files are said to be in %s: the main checkout is %s", other, got)
		}
	}
}

// An address is read from a configuration as git reads it.
func TestRemote(t *testing.T) {
	top := repositories(t)
	r, ok := Find(filepath.Join(top, "a"))
	if !ok {
		t.Fatal("not found")
	}
	const origin = "[remote \"origin\"]\n"
	for text, want := range map[string]string{
		"":                                   "",
		origin + "\turl = https://x/a\n":     "https://x/a",
		"[Remote \"origin\"]\r\nURL=x:a\r\n": "x:a",
		"[remote \"up\"]\nurl = u:a\n" + origin + "url = o:a\n": "o:a",
		"[remote \"up\"]\nurl = u:a\n[core]\nurl = c\n":         "u:a",
		origin + "# url = x\n; url = y\nurl = z:a ; not this\n": "z:a",
		origin + "url = \"a # b\"\n":                            "a # b",
		origin + "url = a\\\\b\n":                               `a\b`,
		origin + "url = ab\\\ncd\n":                             "abcd",
		"[remote \"origin\"] url = x:a\n":                       "x:a",
		"[remote \"a]b\"]\nurl = x:a\n":                         "x:a",
		"[remote.origin]\nurl = x:a\n":                          "x:a",
		origin + "pushurl = p:a\nfetch = +refs/*\nurl = x:a\n":  "x:a",
		origin + "url = x:a\nurl = y:a\n":                       "x:a",
		"[remote \"origin\"\nurl":                               "",
	} {
		if err := os.WriteFile(filepath.Join(r.Common, "config"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := r.Remote(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOddPaths(t *testing.T) {
	dir := t.TempDir()
	if got := Beginning(dir); got != "" {
		t.Errorf("a directory begins with %q", got)
	}
	if got := Real(filepath.Join(dir, "x", "..", "y")); filepath.Base(got) != "y" {
		t.Errorf("Real = %q", got)
	}
}
