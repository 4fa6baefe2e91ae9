package code

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// TestHostileRefs: what a record from elsewhere says is never run, opened or
// printed as it is, and never holds.
func TestHostileRefs(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write(`"; touch x`, garden)
	r.write("$(touch x)", garden)
	r.write("--output=x", garden)
	r.write(":(top)a.go", garden)
	r.commit("begin")
	secret := filepath.Join(filepath.Dir(r.dir), "secret")
	if err := os.WriteFile(secret, []byte(garden), 0o600); err != nil {
		t.Fatal(err)
	}
	r.link(secret, "out.go")
	r.link(filepath.Dir(secret), "outdir")
	r.link("../secret", "up.go")
	words := []string{`"; touch x`, "; touch x", "$(touch x)", "`touch x`", "--output=x", "-O/tmp/x",
		"--upload-pack=touch x", "| touch x",
		"a\ntouch x", "a\x00b", "\x1b[31mred", "a\u202eb", "HEAD", "HEAD^{tree}", ":/begin", "@{u}", "../secret",
		"/etc/passwd", "../../etc/passwd",
		"outdir/secret", "out.go", "up.go", ".git/config", ".git/HEAD", strings.Repeat("x", 100000), "a.go/../../secret",
		"C:\\x", "", " ", ".", "..",
		":(top)a.go", ":(glob)**", "*", "[a].go", "deadbee", strings.Repeat("f", 40), strings.Repeat("f", 64), "\xff"}
	var refs []memory.Evidence
	for _, w := range words {
		base := memory.Evidence{Type: "code", Path: "gone.go", SHA256: hashOf(garden)}
		inPath, inSymbol, inCommit, inRepo, inHash, inLines := base, base, base, base, base, base
		inPath.Path = w
		inSymbol.Path, inSymbol.Symbol = "a.go", "x"+w
		inCommit.Path, inCommit.Commit, inCommit.Start, inCommit.End, inCommit.Dirty = "a.go", w, 1, 2, true
		inRepo.Path, inRepo.Repo, inRepo.SHA256 = "a.go", "x"+w, hashOf("else")
		inHash.Path, inHash.SHA256 = "a.go", "x"+w
		inLines.Path, inLines.Start, inLines.End, inLines.Commit = "a.go", 1<<40, 1<<41, w
		refs = append(refs, inPath, inSymbol, inCommit, inRepo, inHash, inLines)
	}
	r.write("z.go", garden) // an honest one among them
	r.commit("more")
	refs = append(refs, r.pin("z.go#Water")...)
	// files we made
	mayHold := map[string]bool{
		`"; touch x`: true, "$(touch x)": true, "--output=x": true, ":(top)a.go": true, "z.go": true,
	}
	before := names(t, r.dir)
	cache := NewCache(filepath.Join(t.TempDir(), "cache"))
	for _, o := range []Options{{}, {Cache: cache}, {Cache: cache}, {Uncommitted: true}} {
		for i, f := range r.check(o, refs...) {
			if refs[i].Path == "z.go" && f.State != Verified {
				t.Errorf("z.go is %s (%s) among hostile refs, want it verified", f.State, f.Reason)
			}
			if f.State == Verified && !mayHold[refs[i].Path] {
				t.Errorf("%+.200v is verified", refs[i])
			}
			if strings.ContainsAny(f.Reason, "\n\x00\x1b\u202e") || len(f.Reason) > 2000 {
				t.Errorf("%+.200v has the reason %.200q, want it fit to print", refs[i], f.Reason)
			}
		}
	}
	for _, e := range refs {
		if got, err := r.open().Pin(t.Context(), e); err == nil && !mayHold[e.Path] && e.Path != "a.go" {
			t.Errorf("%+v is pinned as %+v", e, got)
		}
	}
	if got := names(t, r.dir); got != before {
		t.Errorf("files = %s, want %s", got, before)
	}
	delete(mayHold, "z.go")
	for path := range mayHold {
		r.expect(memory.Evidence{Type: "code", Path: path, SHA256: hashOf(garden)}, Options{}, Verified)
		r.remove(path)
	}
	c := r.commit("delete")
	for path := range mayHold {
		r.expect(memory.Evidence{Type: "code", Path: path, SHA256: hashOf(garden)}, Options{}, Stale, "was deleted in "+c[:7])
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range list {
		all = append(all, f.Name())
	}
	return strings.Join(all, " ")
}

// TestHostileRepository: nothing that a repository's own settings name is run.
func TestHostileRepository(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("b.go", garden)
	r.write(".gitattributes", "*.go filter=evil diff=evil\n")
	r.commit("begin\x1b[31m\u202e")
	refs := r.pin("a.go", "b.go#Water")
	r.write("a.go", "package a\n")
	r.remove("b.go")
	head := r.commit("change \x1b[31m\u202e")
	signed := filepath.Join(t.TempDir(), "commit")
	text := strings.Replace(
		r.git("cat-file", "commit", head), "\n\n",
		"\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1,
	)
	if err := os.WriteFile(signed, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.git("reset", "-q", "--hard", r.git("hash-object", "-t", "commit", "-w", signed))
	mark := filepath.Join(t.TempDir(), "mark")
	script := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
		"diff.evil.command", "diff.evil.textconv",
		"diff.external", "core.pager", "core.editor", "core.fsmonitor", "core.sshCommand", "gpg.program",
		"credential.helper", "core.askPass",
		"alias.log", "alias.rev-parse"} {
		value := script
		if strings.HasPrefix(name, "alias.") {
			value = "!" + script
		}
		r.git("config", name, value)
	}
	r.git("config", "log.showSignature", "true")
	r.git("config", "core.hooksPath", filepath.Dir(script))
	for _, name := range []string{"post-index-change", "post-checkout", "fsmonitor-watchman"} {
		if err := os.Link(script, filepath.Join(filepath.Dir(script), name)); err != nil {
			t.Fatal(err)
		}
	}
	r.write("a.go", "package b\n")
	for _, o := range []Options{{}, {Uncommitted: true}} {
		for _, f := range r.check(o, refs...) {
			if f.State == Verified || f.State == Unknown || strings.ContainsAny(f.Reason, "\x1b\u202e") {
				t.Errorf("finding = %+v, want it changed or gone, fit to print", f)
			}
		}
	}
	if _, err := r.open().Pin(t.Context(), memory.Evidence{Type: "code", Path: "a.go"}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository's was run")
	}
	r.git("diff", "HEAD") // which does not guard against them
	if _, err := os.Stat(mark); err != nil {
		t.Error("the programs of the repository are not run at all: this proves nothing")
	}
}

func TestDamagedRepository(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.write("b.go", garden+"\n")
	r.write("c.go", garden+"\n\n")
	r.commit("begin")
	refs := r.pin("a.go", "b.go", "c.go")
	id := r.git("rev-parse", "HEAD:a.go")
	if err := os.Remove(r.path(".git/objects/" + id[:2] + "/" + id[2:])); err != nil {
		t.Fatal(err)
	}
	r.expect(refs[0], Options{}, Unknown, "cannot be read")
	r.expect(refs[1], Options{}, Verified)
	id = r.git("rev-parse", "HEAD:b.go")
	object := r.path(".git/objects/" + id[:2] + "/" + id[2:])
	if err := os.Chmod(object, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(object, 60); err != nil { // enough to begin, on which git gives up
		t.Fatal(err)
	}
	for i, want := range []State{Unknown, Unknown, Verified} {
		if f := r.check(Options{}, refs...)[i]; f.State != want {
			t.Errorf("%s is %s (%s), want %s", refs[i].Path, f.State, f.Reason, want)
		}
	}
}

func TestTheContextEnds(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", garden)
	r.commit("begin")
	refs := r.pin("a.go")
	tree := r.open()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := tree.Check(ctx, refs, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Check = %v, want DeadlineExceeded", err)
	}
	if _, err := tree.Pin(ctx, refs[0]); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Pin = %v, want DeadlineExceeded", err)
	}
	if _, err := Open(ctx, r.dir, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open = %v, want DeadlineExceeded", err)
	}
}
