package code

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func hashOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

func TestPin(t *testing.T) {
	r := newRepo(t)
	r.git("remote", "add", "origin", "https://me:secret@GitHub.com:443/a/b.git")
	r.write("garden.go", garden)
	r.write("dos.txt", "one\r\ntwo\r\nthree")
	r.write("empty", "")
	head := r.commit("begin")
	tests := []struct{ text, bytes string }{
		{"garden.go", garden},
		{"garden.go#Water", "func Water(plants int) int {\n\tif plants > 3 {\n\t\treturn 2\n\t}\n\treturn 1\n}"},
		{"garden.go#Bed.Dig", "func (b *Bed) Dig() {\n\tb.rows++\n}"},
		{"garden.go:5-6", "\tif plants > 3 {\n\t\treturn 2"},
		{"garden.go:15", "}"},
		{"dos.txt", "one\ntwo\nthree"},
		{"dos.txt:2-3", "two\nthree"},
		{"empty", ""},
	}
	for _, tt := range tests {
		e := r.pin(tt.text)[0]
		if e.SHA256 != hashOf(tt.bytes) || e.Commit != head || e.Dirty || e.Repo != "github.com/a/b" || Text(e) != tt.text {
			t.Errorf("Pin(%s) = %+v, want the hash of %q at %s in github.com/a/b", tt.text, e, tt.bytes, head)
		}
	}
	r.write("new.go", "package garden\n")
	r.write("garden.go", strings.Replace(garden, "return 2", "return 3", 1))
	for text, dirty := range map[string]bool{
		"garden.go": true, "garden.go#Water": true, "garden.go#Bed": false, "garden.go:1-3": false,
		"new.go": true,
	} {
		if e := r.pin(text)[0]; e.Dirty != dirty || e.Commit != head {
			t.Errorf("Pin(%s) = %+v, want dirty %v at %s", text, e, dirty, head)
		}
	}
	if got, want := r.pin("garden.go#Water")[0].SHA256, hashOf(
		strings.Replace(tests[1].bytes, "return 2", "return 3", 1),
	); got != want {
		t.Errorf("uncommitted work is pinned as %s, want %s", got, want)
	}
}

func TestPinWithoutCommits(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	if e := r.pin("a.go")[0]; !e.Dirty || e.Commit != "" {
		t.Errorf("before the first commit = %+v, want dirty without a commit", e)
	}
	p := plainDir(t)
	p.write("a.go", garden)
	if e := p.pin("a.go")[0]; e.Dirty || e.Commit != "" || e.Repo != "" || e.SHA256 != hashOf(garden) {
		t.Errorf("without git = %+v, want only the hash", e)
	}
}

func TestPinRefuses(t *testing.T) {
	outside := t.TempDir()
	for _, r := range []*repo{newRepo(t), plainDir(t)} {
		r.write("src/garden.go", garden)
		r.write("src/garden.zig", garden)
		r.write("src/broken.go", "package {{{ func Water(")
		r.write("big.txt", strings.Repeat("x", maxFile+1))
		r.link("src/garden.go", "inner.go")
		r.link("src", "lib")
		r.link(outside, "outer")
		r.link("/etc/passwd", "passwd")
		if r.open().Plain() == "" {
			r.commit("begin")
		}
		tests := []struct {
			e    memory.Evidence
			kind error
			want string
		}{
			{memory.Evidence{Path: "src/gardn.go"}, ErrNotFound, "is it src/garden.go"},
			{memory.Evidence{Path: "src/none/at/all"}, ErrNotFound, "there is no file src/none/at/all"},
			{memory.Evidence{Path: "src/garden.go/x"}, ErrNotFound, "there is no file"},
			{memory.Evidence{Path: "src/garden.go", Symbol: "Watr"}, ErrNotFound, "is it Water"},
			{memory.Evidence{Path: "src/garden.go", Symbol: "Dug"}, ErrNotFound, "is it Bed.Dig"},
			{memory.Evidence{Path: "src/garden.go", Start: 15, End: 16}, ErrNotFound, "has 15 lines"},
			{memory.Evidence{Path: "src/garden.zig", Symbol: "Water"}, ErrInvalid, "src/garden.zig:10-20"},
			{memory.Evidence{Path: "src/broken.go", Symbol: "Water"}, ErrInvalid, "src/broken.go:10-20"},
			{memory.Evidence{Path: "src"}, ErrInvalid, "directory"},
			{memory.Evidence{Path: "big.txt"}, ErrInvalid, "too big"},
			{memory.Evidence{Path: "inner.go"}, ErrInvalid, "name src/garden.go"},
			{memory.Evidence{Path: "lib/garden.go"}, ErrInvalid, "name src/garden.go"},
			{memory.Evidence{Path: "outer/x"}, ErrInvalid, "leads out"},
			{memory.Evidence{Path: "passwd"}, ErrInvalid, "leads out"},
			{memory.Evidence{Path: "../x"}, ErrInvalid, "leads out"},
			{memory.Evidence{Path: "/etc/passwd"}, ErrInvalid, "relative"},
			{memory.Evidence{Path: "src/garden.go", Start: 3, End: 1}, ErrInvalid, "range"},
		}
		for _, tt := range tests {
			tt.e.Type = "code"
			_, err := r.open().Pin(t.Context(), tt.e)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Pin(%s) = %v, want %v with %q", Text(tt.e), err, tt.kind, tt.want)
			}
		}
	}
}

func TestRepoName(t *testing.T) {
	tests := []struct{ remote, want string }{
		{"https://github.com/a/b.git", "github.com/a/b"},
		{"https://user:word@github.com:443/a/b/", "github.com/a/b"},
		{"git@github.com:a/b.git", "github.com/a/b"},
		{"GitHub.com:a/b", "github.com/a/b"},
		{"ssh://git@host.example:2222/~me/b.git", "host.example/~me/b"},
		{"git@host.example:/srv/b.git", "host.example/srv/b"},
		{"", ""},
		{"/srv/git/b.git", ""},
		{"../b", ""},
		{"file:///srv/git/b.git", ""},
		{`C:\work\b`, ""},
		{"ext::sh -c touch% x", ""},
		{"https://github.com/a\nb", ""},
	}
	for _, tt := range tests {
		if got := repoName(tt.remote); got != tt.want {
			t.Errorf("repoName(%q) = %q, want %q", tt.remote, got, tt.want)
		}
	}
}

func TestOpen(t *testing.T) {
	r := newRepo(t)
	r.write("src/deep/a.go", garden)
	tree, err := Open(t.Context(), r.path("src/deep"), "")
	if err != nil || tree.Root() != r.dir || tree.Plain() != "" {
		t.Errorf("Open = %+v, %v, want the root %s", tree, err, r.dir)
	}
	p := plainDir(t)
	p.write("src/a.go", garden)
	for otherwise, want := range map[string]string{"": p.path("src"), p.dir: p.dir} {
		tree, err := Open(t.Context(), p.path("src"), otherwise)
		if err != nil || tree.Root() != want || tree.Plain() == "" {
			t.Errorf("Open without git = %+v, %v, want the root %s", tree, err, want)
		}
	}
	evil := newRepo(t)
	for _, said := range []string{filepath.Dir(evil.dir), r.dir} {
		evil.git("config", "core.worktree", said)
		if tree, err := Open(t.Context(), evil.dir, ""); err != nil || tree.Root() != evil.dir || tree.Plain() == "" {
			t.Errorf("Open where the work tree is said to be %s = %+v, %v, want %s and no git", said, tree, err, evil.dir)
		}
	}
	t.Setenv("PATH", t.TempDir())
	tree, err = Open(t.Context(), r.path("src/deep"), "")
	if err != nil || tree.Root() != r.dir || !strings.Contains(tree.Plain(), "not installed") {
		t.Errorf("Open without the git binary = %+v, %v, want the root %s", tree, err, r.dir)
	}
	if e := r.pin("src/deep/a.go#Water")[0]; e.SHA256 == "" {
		t.Errorf("Pin without the git binary = %+v, want a hash", e)
	}
	if _, err := Open(t.Context(), p.path("none"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of no folder = %v, want ErrNotExist", err)
	}
}
