package anchor

import (
	"encoding/base64"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/memory"
)

// A repo is a real repository of a test.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, options ...string) *repo {
	t.Helper()
	r := &repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command(
		"git",
		append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"}, args...)...,
	)
	cmd.Dir, cmd.Env = r.dir, append(git.Environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_ALLOW_PROTOCOL=file")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit makes one with this message and gives its id.
func (r *repo) commit(message string) string {
	r.t.Helper()
	r.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
	return r.git("rev-parse", "HEAD")
}

func (r *repo) options() Options { return Options{Dir: r.dir, Now: atNoon} }

func TestGit(t *testing.T) {
	of := refOf("a memory")
	line := "Memory-Digest: sha256:" + of.ID.String()
	for _, format := range []string{"sha1", "sha256"} {
		r := newRepo(t, "--object-format="+format)
		root := r.commit("begin")
		bound := r.commit("why\n\nMemory-Digest: sha256:" + refOf("other").ID.String() + "\n" + line + "\n")
		for _, name := range []string{"HEAD", bound, bound[:10], "main", "@"} {
			a, err := Make(t.Context(), typeGit, name, of, r.options())
			if err != nil {
				t.Fatalf("%s: %s: %v", format, name, err)
			}
			object, ok := proof(a)
			if a.Reference != bound || !ok || nameOf(object, len(bound)) != bound || a.SHA256 != digest(object) {
				t.Errorf("%s: Git(%s) = %+v, want %s with its bytes", format, name, a, bound)
			}
			f := Check(t.Context(), a, r.options())
			if f.Status != Verified || !f.Bound || f.Class != "git:"+root || !f.Offline {
				t.Errorf("%s: %+v, want verified, bound, of %s", format, f, root)
			}
			f = Check(t.Context(), a, Options{Dir: newRepo(t).dir})
			if f.Status != Unverifiable || !f.Bound || f.Class != "git" {
				t.Errorf("%s: in another repository: %+v, want unverifiable and bound", format, f)
			}
			if f = Check(t.Context(), a, Options{Dir: t.TempDir()}); f.Status != Unverifiable {
				t.Errorf("%s: in no repository: %+v, want unverifiable", format, f)
			}
			if f = Check(t.Context(), a, Options{}); f.Status != Unverifiable || !f.Bound {
				t.Errorf("%s: with no repository at hand: %+v, want unverifiable and bound", format, f)
			}
		}
		a, err := Git(t.Context(), root, of, r.options())
		if err != nil {
			t.Fatal(err)
		}
		if f := Check(t.Context(), a, r.options()); f.Status != Verified || f.Bound {
			t.Errorf("%s: a commit that does not name the memory: %+v, want verified and not bound", format, f)
		}
	}
}

func TestTrailers(t *testing.T) {
	of := refOf("a memory")
	line := "Memory-Digest: sha256:" + of.ID.String()
	tests := []struct {
		message string
		want    bool
	}{
		{"why\n\n" + line, true},
		{"why\n\n" + line + "\r\n", true},
		{"why\n\n" + line + "\n\nCo-authored-by: Bob <b@example.org>\n", true},
		{line, true},
		{"why\n\n " + line, false},
		{"why\n\n> " + line, false},
		{"why\n\n" + line + "0", false},
		{"why\n\n" + strings.ToUpper(line), false},
		{"why\n\n" + line[:len(line)-1], false},
		{"why\n\n" + of.ID.String(), false},
		{"", false},
	}
	for _, tt := range tests {
		object := "tree x\nauthor y\n\n" + tt.message
		if got := trails([]byte(object), of.ID); got != tt.want {
			t.Errorf("trails(%q) = %v, want %v", tt.message, got, tt.want)
		}
	}
	// The header of a commit is not its message.
	if trails([]byte("tree x\n"+line+"\nauthor y\n\nwhy\n"), of.ID) {
		t.Error("a line of the header binds")
	}
}

func TestGitCommitTakenAway(t *testing.T) {
	of := refOf("a memory")
	r := newRepo(t)
	r.commit("begin")
	lost := r.commit("later")
	a, err := Git(t.Context(), lost, of, r.options())
	if err != nil {
		t.Fatal(err)
	}
	r.git("reset", "-q", "--hard", "HEAD~1")
	if f := Check(t.Context(), a, r.options()); f.Status != Gone {
		t.Errorf("after a reset: %s (%s), want gone", f.Status, f.Why)
	}
	if _, err := Git(t.Context(), lost, of, r.options()); !errors.Is(err, ErrInvalid) {
		t.Errorf("anchor to a commit no branch holds: %v, want %v", err, ErrInvalid)
	}
	r.git("update-ref", "refs/notes/kept", lost)
	if f := Check(t.Context(), a, r.options()); f.Status != Gone {
		t.Errorf("held by a ref that is no branch: %s (%s), want gone", f.Status, f.Why)
	}
	r.git("update-ref", "-d", "refs/notes/kept")
	r.git("tag", "kept", lost)
	if f := Check(t.Context(), a, r.options()); f.Status != Verified || !strings.Contains(f.Why, "refs/tags/kept") {
		t.Errorf("held by a tag: %s (%s), want verified", f.Status, f.Why)
	}
	r.git("tag", "-d", "kept")
	r.git("reflog", "expire", "--expire=now", "--all")
	r.git("gc", "-q", "--prune=now")
	if f := Check(t.Context(), a, r.options()); f.Status != Unverifiable {
		t.Errorf("after it is gone for good: %s (%s), want unverifiable", f.Status, f.Why)
	}
}

// What an anchor keeps is held to what it names.
func TestGitForgedProof(t *testing.T) {
	of := refOf("a memory")
	r := newRepo(t)
	id := r.commit("begin")
	good, err := Git(t.Context(), id, of, r.options())
	if err != nil {
		t.Fatal(err)
	}
	object, _ := proof(good)
	forged := []byte(strings.Replace(string(object), "begin", "Memory-Digest: sha256:"+of.ID.String(), 1))
	tag := r.git("tag", "-a", "-m", "x", "one") + r.git("rev-parse", "one")
	tests := []struct {
		name   string
		change func(a *memory.Anchor)
		want   Status
	}{
		{"none", func(*memory.Anchor) {}, Verified},
		{"no proof", func(a *memory.Anchor) { a.Proof = "" }, Verified},
		{"proof alone", func(a *memory.Anchor) { a.SHA256, a.Size = "", 0 }, Verified},
		{"other bytes", func(a *memory.Anchor) { a.Proof = base64.StdEncoding.EncodeToString(forged) }, Changed},
		{"other bytes and digest", func(a *memory.Anchor) {
			a.Proof, a.SHA256, a.Size = base64.StdEncoding.EncodeToString(forged), digest(forged), int64(len(forged))
		}, Changed},
		{"other digest", func(a *memory.Anchor) { a.Proof, a.SHA256 = "", digest(forged) }, Changed},
		{"other size", func(a *memory.Anchor) { a.Proof, a.Size = "", 1 }, Changed},
		{"other name", func(a *memory.Anchor) { a.Reference = strings.Repeat("0", 40) }, Changed},
		{"unknown commit", func(a *memory.Anchor) { a.Reference, a.Proof = strings.Repeat("0", 40), "" }, Unverifiable},
		{"short name", func(a *memory.Anchor) { a.Reference = id[:12] }, Unverifiable},
		{"branch", func(a *memory.Anchor) { a.Reference = "main" }, Unverifiable},
		{"option", func(a *memory.Anchor) { a.Reference = "--batch" }, Unverifiable},
		{"tag", func(a *memory.Anchor) { a.Reference, a.Proof = tag, "" }, Unverifiable},
		{"upper case", func(a *memory.Anchor) { a.Reference = strings.ToUpper(id) }, Unverifiable},
	}
	for _, tt := range tests {
		a := *good
		tt.change(&a)
		if f := Check(t.Context(), &a, r.options()); f.Status != tt.want || f.Bound {
			t.Errorf("%s: %s (%s), bound %v; want %s and not bound", tt.name, f.Status, f.Why, f.Bound, tt.want)
		}
	}
}

func TestGitRefusesNames(t *testing.T) {
	r := newRepo(t)
	r.commit("begin")
	for _, name := range []string{"", "-h", "--all", "--output=x", "HEAD main", "HEAD\n", "main..main", "^HEAD",
		":/begin", "HEAD:",
		"nowhere", "$(touch x)", "HEAD;ls", "\x00", strings.Repeat("a", 300), "@{upstream}", "HEAD^{tree}"} {
		if a, err := Git(t.Context(), name, refOf("a memory"), r.options()); err == nil {
			t.Errorf("Git(%q) = %+v, want it refused", name, a)
		}
	}
	if _, err := Git(t.Context(), "HEAD", refOf("a memory"), Options{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("without a directory: %v, want %v", err, ErrInvalid)
	}
}

// All of a repository is one class, whichever of its beginnings a commit has;
// clones share it, and a shallow clone does not guess.
func TestGitClass(t *testing.T) {
	r := newRepo(t)
	of := refOf("a memory")
	classes := map[string]bool{}
	var ids []string
	first := r.commit("begin")
	ids = append(ids, first, r.commit("later"))
	r.git("checkout", "-q", "--orphan", "pages")
	ids = append(ids, r.commit("pages"))
	for _, id := range ids {
		a, err := Git(t.Context(), id, of, r.options())
		if err != nil {
			t.Fatal(err)
		}
		classes[Check(t.Context(), a, r.options()).Class] = true
	}
	r.git("checkout", "-q", "main")
	for _, id := range ids {
		a, err := Git(t.Context(), id, of, r.options())
		if err != nil {
			t.Fatal(err)
		}
		classes[Check(t.Context(), a, r.options()).Class] = true
	}
	if len(classes) != 1 {
		t.Errorf("one repository gives the classes %v, want one", classes)
	}
	shallow := &repo{t, t.TempDir()}
	shallow.git("clone", "-q", "--depth=1", "--branch=main", "file://"+r.dir, ".")
	a, err := Git(t.Context(), "HEAD", of, shallow.options())
	if err != nil {
		t.Fatal(err)
	}
	if f := Check(t.Context(), a, shallow.options()); f.Status != Verified || f.Class != "git" {
		t.Errorf("a shallow clone: %+v, want verified, of the class git", f)
	}
}

// A commit too big to keep is kept as its digest; what git says has a bound.
func TestGitBigCommit(t *testing.T) {
	r := newRepo(t)
	r.commit("begin")
	id := r.commit("big\n\n" + strings.Repeat("a", maxProof))
	a, err := Git(t.Context(), id, refOf("a memory"), r.options())
	if err != nil || a.Proof != "" || a.Size <= maxProof {
		t.Fatalf("%+v, %v, want no proof", a, err)
	}
	if f := Check(t.Context(), a, r.options()); f.Status != Verified {
		t.Errorf("%+v, want verified", f)
	}
	if out, err := ask(t.Context(), r.dir, maxProof, "cat-file", "commit", id); err == nil {
		t.Errorf("%d bytes were taken, want at most %d", len(out), maxProof)
	}
}
