package outside

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A ground is a machine's files for tests: a person's repository, a clone of strangers, a branch of others.
type ground struct {
	t                 *testing.T
	home, own, clone  string
	tmp, plain, other string
}

func newGround(t *testing.T) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{
		t: t, home: filepath.Join(dir, "home/ada"), own: filepath.Join(dir, "home/ada/app"),
		clone: filepath.Join(dir, "home/ada/lib"), tmp: filepath.Join(dir, "tmp"), plain: filepath.Join(dir, "home/ada/notes"),
		other: filepath.Join(dir, "home/ada/site"),
	}
	g.write(g.home+"/.gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.org\n")
	t.Setenv("HOME", g.home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(g.home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, dir := range []string{g.tmp, g.plain} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g.write(g.plain+"/todo.md", "buy milk")
	g.write(g.home+"/Downloads/page.html", "<p>pay here</p>")
	g.write(g.home+"/bin/tool", "#!/bin/sh\necho hi\n")
	g.write(g.tmp+"/run.sh", "#!/bin/sh\necho hi\n")
	for _, repo := range []string{g.own, g.other} {
		g.files(repo, map[string]string{
			"README.md": "curl is not run here", "main.go": "package main", "docs/a.md": "words", "docs/b.md": "words",
			"scripts/fetch.sh": "curl -s https://example.org/x", "script.py": "print(1)", "Makefile": "dev:\n\techo dev\n",
			"package.json": `{"devDependencies":{"typescript":"5","eslint":"9"}}`, "go.mod": "module example.org/app\n",
			"config.json": "{}", "app.log": "tracked", "src/deep/x.go": "package deep", ".gitignore": "/bin\nnode_modules\n",
			"vendor/modules.txt": "# x", "vendor/example.org/y/y.go": "package y // trust me",
			"third_party/z/README": "trust me",
		})
		g.git(repo, "ada@example.org", "init", "-q", "-b", "main")
		g.commit(repo, "ada@example.org", "begin")
	}
	g.write(g.own+"/node_modules/left/README.md", "trust me")
	g.write(g.own+"/node_modules/.bin/tsc", "#!/usr/bin/env node\n")
	g.write(g.own+"/.venv/lib/python3.12/site-packages/pkg/__init__.py", "'trust me'")
	g.write(g.own+"/notes.txt", "not tracked")
	g.write(g.own+"/bin/app", "\x7fELF\x00")
	g.write(g.own+"/untracked.sh", "curl -s https://example.org/y\n")
	g.git(g.own, "ada@example.org", "checkout", "-q", "-b", "pr-12")
	g.write(g.own+"/docs/theirs.md", "trust me")
	g.commit(g.own, "mallory@example.com", "a change")
	g.git(g.own, "ada@example.org", "checkout", "-q", "-b", "mine", "main")
	g.write(g.own+"/docs/own.md", "words of mine")
	g.commit(g.own, "ada@example.org", "my change")
	g.git(g.own, "ada@example.org", "checkout", "-q", "main")
	g.git(g.own, "ada@example.org", "update-ref", "refs/remotes/origin/main", "main")
	g.git(g.own, "ada@example.org", "update-ref", "refs/remotes/origin/feature", "pr-12")
	g.files(g.clone, map[string]string{
		"README.md": "trust me", "build.sh": "echo trust me", "Makefile": "all:\n\techo hi\n", "main.go": "package lib",
	})
	g.git(g.clone, "mallory@example.com", "init", "-q", "-b", "main")
	g.git(g.clone, "mallory@example.com", "remote", "add", "origin", "git@github.com:a/lib.git")
	g.commit(g.clone, "mallory@example.com", "begin")
	return g
}

func (g *ground) write(path, words string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(words), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) files(dir string, list map[string]string) {
	g.t.Helper()
	for name, words := range list {
		g.write(filepath.Join(dir, name), words)
	}
}

func (g *ground) git(dir, who string, args ...string) {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=A", "-c", "user.email=" + who, "-c", "commit.gpgsign=false",
	}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (g *ground) commit(dir, who, message string) {
	g.t.Helper()
	g.git(dir, who, "add", "-A", ".")
	if strings.Contains(dir, "app") {
		g.git(dir, who, "reset", "-q", "--", "notes.txt", "untracked.sh", ".venv")
	}
	g.git(dir, who, "commit", "-q", "-m", message)
}

// named puts the ground's directories in a text: OWN, CLONE, HOME, TMP.
func (g *ground) named(text string) string {
	return strings.NewReplacer(
		"@OWN", g.own, "@CLONE", g.clone, "@HOME", g.home, "@TMP", g.tmp, "@PLAIN", g.plain, "@SITE", g.other,
	).Replace(text)
}

func (g *ground) judge() Judge {
	return Judge{
		Home: g.home, Dir: g.own, Path: []string{"/usr/bin", "/bin", "/usr/local/bin", g.home + "/bin"}, Files: true,
		Seen: Seen{Dir: filepath.Join(g.t.TempDir(), "handled")},
		Ours: func(tool string) bool { return strings.HasPrefix(tool, "mcp__stemma__") },
	}
}

// bash judges a command of Claude Code.
func (g *ground) bash(j Judge, line, output string) string {
	g.t.Helper()
	input, err := json.Marshal(map[string]string{"command": g.named(line)})
	if err != nil {
		g.t.Fatal(err)
	}
	return j.From(Call{
		Host: "claude-code", Tool: "Bash", Input: input, Output: g.named(output), Dir: g.own, Session: "one",
	})
}
