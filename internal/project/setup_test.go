package project

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/git"
)

// A desk is one person's machine: a directory for repositories, a home and a data directory.
type desk struct {
	testing.TB
	dir, home, data string
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, filepath.Join(top, "src"), filepath.Join(top, "home"), filepath.Join(top, "data")}
	for _, dir := range []string{d.dir, d.home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", d.home)
	t.Setenv("XDG_CONFIG_HOME", d.home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return d
}

// at is a path below the directory for repositories.
func (d *desk) at(path string) string { return filepath.Join(d.dir, path) }

// git runs git in a directory, "" for the one of all repositories.
func (d *desk) git(in string, args ...string) string {
	d.Helper()
	args = append([]string{
		"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always",
		"-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false",
	}, args...)
	cmd := exec.Command("git", args...)
	cmd.Dir = d.at(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

var commits int

// commit makes a commit that no other repository has.
func (d *desk) commit(in string) {
	d.Helper()
	commits++
	d.git(in, "commit", "-q", "--allow-empty", "-m", fmt.Sprint("commit ", commits))
}

// repository makes one with two commits.
func (d *desk) repository(name string) {
	d.Helper()
	d.git("", "init", "-q", name)
	d.commit(name)
	d.commit(name)
}

func (d *desk) remote(in, address string) {
	d.Helper()
	d.git(in, "remote", "add", "origin", address)
}

// space is where the memories of a directory go.
func (d *desk) space(in string) string {
	d.Helper()
	return d.spaceOf(d.at(in))
}

func (d *desk) spaceOf(dir string) string {
	d.Helper()
	read, known, err := Space(d.Context(), d.data, dir, d.home, "salt", false)
	if err != nil {
		d.Fatalf("%s: %v", dir, err)
	}
	wrote, was, err := Space(d.Context(), d.data, dir, d.home, "salt", true)
	if err != nil {
		d.Fatalf("%s: %v", dir, err)
	}
	if read != wrote || known != was {
		d.Errorf("%s: a reader has %q (known: %v), and a writer %q (known: %v)", dir, read, known, wrote, was)
	}
	again, known, err := Space(d.Context(), d.data, dir, d.home, "salt", false)
	if err != nil || again != wrote || known != (again != "") {
		d.Errorf("%s: %q once, then %q (known: %v), %v", dir, wrote, again, known, err)
	}
	return wrote
}

func (d *desk) same(a, b string) {
	d.Helper()
	if x, y := d.space(a), d.space(b); x != y || x == "" {
		d.Errorf("%s is %q and %s is %q, want one project", a, x, b, y)
	}
}

func (d *desk) differ(a, b string) {
	d.Helper()
	if x, y := d.space(a), d.space(b); x == y {
		d.Errorf("%s and %s are both %q, want two projects", a, b, x)
	}
}

// stays checks that a directory has the space that it had.
func (d *desk) stays(was, in string) {
	d.Helper()
	if got := d.space(in); got != was || got == "" {
		d.Errorf("%s is %q, was %q", in, got, was)
	}
}

func (d *desk) rename(from, to string) {
	d.Helper()
	if err := os.Rename(d.at(from), d.at(to)); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) remove(path string) {
	d.Helper()
	if err := os.RemoveAll(d.at(path)); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) mkdir(path string) {
	d.Helper()
	if err := os.MkdirAll(d.at(path), 0o700); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) write(path, text string) {
	d.Helper()
	if err := os.WriteFile(d.at(path), []byte(text), 0o600); err != nil {
		d.Fatal(err)
	}
}

// gitIs puts a script in the place of git, and returns the file in which it notes each call. $REAL is the true one.
func (d *desk) gitIs(script string) (calls string) {
	d.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		d.Fatal(err)
	}
	bin := filepath.Join(filepath.Dir(d.dir), "bin")
	calls = filepath.Join(bin, "calls")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		d.Fatal(err)
	}
	script = fmt.Sprintf("#!/bin/sh\necho \"$@\" >>'%s'\nREAL='%s'\n%s\n", calls, real, script)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		d.Fatal(err)
	}
	d.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

// without runs a test while there is no git.
func (d *desk) without(do func()) {
	d.Helper()
	path := os.Getenv("PATH")
	d.Setenv("PATH", d.home)
	do()
	d.Setenv("PATH", path)
}

func mustFind(t testing.TB, dir string) git.Repository {
	t.Helper()
	r, ok := git.Find(dir)
	if !ok {
		t.Fatalf("%s is in no repository", dir)
	}
	return r
}
