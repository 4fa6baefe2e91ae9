// Package outsidetest makes a machine's files for tests of what is outside: a person's repository, a clone of
// strangers, a branch of others.
package outsidetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Ground is a machine's files for tests: a person's repository, a clone of strangers, a branch of others.
type Ground struct {
	t                 testing.TB
	Home, Own, Clone  string
	Tmp, Plain, Other string
}

// New makes one. Nothing of the machine's own settings of git counts in it.
func New(t testing.TB) *Ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &Ground{
		t: t, Home: filepath.Join(dir, "home/ada"), Own: filepath.Join(dir, "home/ada/app"),
		Clone: filepath.Join(dir, "home/ada/lib"),
		Tmp:   filepath.Join(dir, "tmp"), Plain: filepath.Join(dir, "home/ada/notes"),
		Other: filepath.Join(dir, "home/ada/site"),
	}
	g.Write(g.Home+"/.gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.org\n")
	t.Setenv("HOME", g.Home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(g.Home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, dir := range []string{g.Tmp, g.Plain} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g.Write(g.Plain+"/todo.md", "buy milk")
	g.Write(g.Home+"/Downloads/page.html", "<p>pay here</p>")
	g.Write(g.Home+"/bin/tool", "#!/bin/sh\necho hi\n")
	g.Write(g.Tmp+"/run.sh", "#!/bin/sh\necho hi\n")
	for _, repo := range []string{g.Own, g.Other} {
		g.files(repo, map[string]string{
			"README.md": "curl is not run here", "main.go": "package main", "docs/a.md": "words", "docs/b.md": "words",
			"scripts/fetch.sh": "curl -s https://example.org/x", "script.py": "print(1)", "Makefile": "dev:\n\techo dev\n",
			"package.json": `{"devDependencies":{"typescript":"5","eslint":"9"}}`, "go.mod": "module example.org/app\n",
			"config.json": "{}", "app.log": "tracked", "src/deep/x.go": "package deep", ".gitignore": "/bin\nnode_modules\n",
			"vendor/modules.txt": "# x", "vendor/example.org/y/y.go": "package y // trust me",
			"third_party/z/README": "trust me",
		})
		g.Git(repo, "ada@example.org", "init", "-q", "-b", "main")
		g.commit(repo, "ada@example.org", "begin")
	}
	g.Write(g.Own+"/node_modules/left/README.md", "trust me")
	g.Write(g.Own+"/node_modules/.bin/tsc", "#!/usr/bin/env node\n")
	g.Write(g.Own+"/.venv/lib/python3.12/site-packages/pkg/__init__.py", "'trust me'")
	g.Write(g.Own+"/.venv/pyvenv.cfg", "home = /usr/bin\n")
	g.Write(g.Own+"/.venv/bin/activate", "VIRTUAL_ENV=x\n")
	g.Write(g.Own+"/notes.txt", "not tracked")
	g.Write(g.Own+"/bin/app", "\x7fELF\x00")
	g.Write(g.Own+"/untracked.sh", "curl -s https://example.org/y\n")
	g.Git(g.Own, "ada@example.org", "checkout", "-q", "-b", "pr-12")
	g.Write(g.Own+"/docs/theirs.md", "trust me")
	g.commit(g.Own, "mallory@example.com", "a change")
	g.Git(g.Own, "ada@example.org", "checkout", "-q", "-b", "mine", "main")
	g.Write(g.Own+"/docs/own.md", "words of mine")
	g.commit(g.Own, "ada@example.org", "my change")
	g.Git(g.Own, "ada@example.org", "checkout", "-q", "main")
	g.Git(g.Own, "ada@example.org", "update-ref", "refs/remotes/origin/main", "main")
	g.Git(g.Own, "ada@example.org", "update-ref", "refs/remotes/origin/feature", "pr-12")
	tip, err := os.ReadFile(filepath.Join(g.Own, ".git/refs/heads/pr-12"))
	if err != nil {
		t.Fatal(err)
	}
	g.Write(g.Own+"/.git/FETCH_HEAD", strings.TrimSpace(string(tip))+
		"\tnot-for-merge\tbranch 'pr-12' of example.org/app\n")
	for _, name := range []string{"a.zip", "a.tgz"} {
		g.Write(g.Home+"/Downloads/"+name, "of strangers")
	}
	g.files(g.Clone, map[string]string{
		"README.md": "trust me", "build.sh": "echo trust me", "Makefile": "all:\n\techo hi\n", "main.go": "package lib",
	})
	g.Git(g.Clone, "mallory@example.com", "init", "-q", "-b", "main")
	g.Git(g.Clone, "mallory@example.com", "remote", "add", "origin", "git@github.com:a/lib.git")
	g.commit(g.Clone, "mallory@example.com", "begin")
	g.Git(g.Tmp, "ada@example.org", "clone", "-q", g.Clone, "x")
	g.Git(g.Own, "ada@example.org", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", g.Clone, "ext/lib")
	g.commit(g.Own, "ada@example.org", "use lib")
	return g
}

// Write puts a file there.
func (g *Ground) Write(path, words string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(words), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

func (g *Ground) files(dir string, list map[string]string) {
	g.t.Helper()
	for name, words := range list {
		g.Write(filepath.Join(dir, name), words)
	}
}

// Git runs git as a person who has an address.
func (g *Ground) Git(dir, who string, args ...string) {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=A", "-c", "user.email=" + who, "-c", "commit.gpgsign=false",
	}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (g *Ground) commit(dir, who, message string) {
	g.t.Helper()
	g.Git(dir, who, "add", "-A", ".")
	if strings.Contains(dir, "app") {
		g.Git(dir, who, "reset", "-q", "--", "notes.txt", "untracked.sh", ".venv")
	}
	g.Git(dir, who, "commit", "-q", "-m", message)
}

// Named puts the ground's directories in a text: OWN, CLONE, HOME, TMP.
func (g *Ground) Named(text string) string {
	return strings.NewReplacer(
		"@OWN", g.Own, "@CLONE", g.Clone, "@HOME", g.Home, "@TMP", g.Tmp, "@PLAIN", g.Plain, "@SITE", g.Other,
	).Replace(text)
}
