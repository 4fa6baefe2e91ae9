package code

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/memory"
)

// repo is a git repository of one test.
type repo struct {
	t   testing.TB
	dir string
}

// newRepo makes an empty repository, in a folder whose name is not easy.
func newRepo(t testing.TB) *repo {
	t.Helper()
	r := plainDir(t)
	r.git("init", "-q", "-b", "main")
	return r
}

// plainDir is a folder without git.
func plainDir(t testing.TB) *repo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{t, filepath.Join(dir, "a tree")}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return r
}

func testEnvironment() []string {
	return append(git.Environment(), "GIT_ALLOW_PROTOCOL=file", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada",
		"GIT_COMMITTER_EMAIL=ada@example.org")
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, testEnvironment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// stream runs git on what it reads.
func (r *repo) stream(verb, in string) {
	r.t.Helper()
	cmd := exec.Command("git", verb, "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, testEnvironment(), strings.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", verb, err, out)
	}
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *repo) write(name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) remove(name string) {
	r.t.Helper()
	if err := os.Remove(r.path(name)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) link(to, name string) {
	r.t.Helper()
	if err := os.Symlink(to, r.path(name)); err != nil {
		r.t.Fatal(err)
	}
}

// commit takes in all that is there and returns the commit's id.
func (r *repo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

func (r *repo) open() *Tree {
	r.t.Helper()
	tree, err := Open(r.t.Context(), r.dir, "")
	if err != nil {
		r.t.Fatal(err)
	}
	return tree
}

// pin parses and pins refs as they are now.
func (r *repo) pin(texts ...string) []memory.Evidence {
	r.t.Helper()
	tree := r.open()
	var refs []memory.Evidence
	for _, text := range texts {
		e, err := tree.Parse(text, "")
		if err == nil {
			e, err = tree.Pin(r.t.Context(), e)
		}
		if err != nil {
			r.t.Fatalf("pin %s: %v", text, err)
		}
		refs = append(refs, e)
	}
	return refs
}

func (r *repo) check(o Options, refs ...memory.Evidence) []Finding {
	r.t.Helper()
	findings, err := r.open().Check(r.t.Context(), refs, o)
	if err != nil {
		r.t.Fatal(err)
	}
	if len(findings) != len(refs) {
		r.t.Fatalf("%d findings for %d refs", len(findings), len(refs))
	}
	return findings
}

// expect checks one ref: its state, and words that the reason must hold.
func (r *repo) expect(e memory.Evidence, o Options, want State, words ...string) Finding {
	r.t.Helper()
	f := r.check(o, e)[0]
	if f.State != want {
		r.t.Errorf("%s is %s (%s), want %s", Text(e), f.State, f.Reason, want)
	}
	for _, word := range words {
		if !strings.Contains(f.Reason, word) {
			r.t.Errorf("the reason of %s = %q, want %q in it", Text(e), f.Reason, word)
		}
	}
	if f.State != Verified && f.Reason == "" {
		r.t.Errorf("%s is %s without a reason", Text(e), f.State)
	}
	return f
}

const garden = `package garden

// Water returns water.
func Water(plants int) int {
	if plants > 3 {
		return 2
	}
	return 1
}

type Bed struct{ rows int }

func (b *Bed) Dig() {
	b.rows++
}
`
