package importers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

func TestGitSummarizesACommit(t *testing.T) {
	f := newFolder(t)
	f.write("a", "1")
	f.write("gone", "1")
	first := f.commit("begin\n")
	f.write("a", "2")
	if err := os.Remove(filepath.Join(f.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	f.write("näher/ü b.go", "x")
	f.write("two\nlines", "x")
	f.write(`"quoted"`, "x")
	second := f.commit("second\n\nwith a reason: größer\n")

	all := f.read()
	if len(all) != 2 || all[0].Alias[0] != "git:"+first || all[1].Alias[0] != "git:"+second {
		t.Fatalf("records = %v, want %s and %s", all, first, second)
	}
	got := raw(t, all[1])
	want := memory.Raw{
		Text:   "second\n\nwith a reason: größer\n\nA \"\\\"quoted\\\"\"\nM a\nD gone\nA näher/ü b.go\nA \"two\\nlines\"",
		Source: "import", Event: "commit", Speaker: "Ada", OccurredAt: memory.At(time.UnixMilli(1700000000_000)),
	}
	if *got != want {
		t.Errorf("raw = %+v, want %+v", *got, want)
	}
	if got, want := all[1].Meta.Session, "git:garden"; got != want {
		t.Errorf("session = %q, want %q", got, want)
	}
	if got, want := raw(t, all[0]).Text, "begin\n\nA a\nA gone"; got != want {
		t.Errorf("the first commit = %q, want %q", got, want)
	}
}

// TestGitMerges: parents come first, whatever their dates, and a merge names only
// what it changed itself.
func TestGitMerges(t *testing.T) {
	f := newFolder(t)
	f.write("a", "1\n")
	f.commit("root")
	f.git("checkout", "-q", "-b", "side")
	f.write("a", "2\n")
	f.write("b", "1\n")
	side := f.commit("side")
	f.git("checkout", "-q", "main")
	f.write("a", "3\n")
	trunk := f.commit("trunk")
	f.git("merge", "-q", "-s", "ours", "--no-commit", "side")
	f.write("a", "both\n")
	f.write("b", "1\n")
	merge := f.commit("merge")
	skewed := f.gitWith("tree "+f.git("write-tree")+"\nparent "+merge+
		"\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\na slow clock",
		"hash-object", "-t", "commit", "-w", "--stdin")
	f.git("update-ref", "refs/remotes/origin/skewed", skewed)
	f.git("checkout", "-q", "--detach")
	f.commit("on no branch")
	f.git("checkout", "-q", "--detach", "main")
	tagged := f.commit("under a tag alone")
	f.git("tag", "v1")
	f.git("checkout", "-q", "--orphan", "pages")
	other := f.commit("another root")
	f.git("checkout", "-q", "--detach", "main")
	loose := f.commit("under HEAD alone")

	var order []string
	texts := make(map[string]string)
	for _, r := range f.read() {
		order = append(order, strings.TrimPrefix(r.Alias[0], "git:"))
		texts[order[len(order)-1]] = raw(t, r).Text
	}
	at := func(id string) int { return slices.Index(order, id) }
	if len(order) != 8 || at(tagged) < 0 || at(other) < 0 || at(loose) < 0 {
		t.Errorf("order = %v, want 8 with %s, %s and %s", order, tagged, other, loose)
	}
	if at(side) > at(merge) || at(trunk) > at(merge) || at(merge) > at(skewed) {
		t.Errorf("order = %v, want %s and %s before %s before %s", order, side, trunk, merge, skewed)
	}
	if got, want := texts[merge], "merge\n\nMM a"; got != want {
		t.Errorf("merge = %q, want %q", got, want)
	}
}

// TestGitLastAreTheNewest: of two branches that went on beside each other, the newest commits
// are of both, and still come oldest first.
func TestGitLastAreTheNewest(t *testing.T) {
	f := newFolder(t)
	tree := f.git("write-tree")
	add := func(branch, parent string, at int) string {
		text := "tree " + tree
		if parent != "" {
			text += "\nparent " + parent
		}
		id := f.gitWith(
			fmt.Sprintf("%s\nauthor A <a> %d +0000\ncommitter A <a> %d +0000\n\n%s at %d", text, at, at, branch, at),
			"hash-object",
			"-t",
			"commit",
			"-w",
			"--stdin",
		)
		f.git("update-ref", "refs/heads/"+branch, id)
		return id
	}
	main, side := add("main", "", 10), add("side", "", 20)
	main, side = add("main", main, 30), add("side", side, 40)
	seq, total, err := History{Dir: f.dir, Last: 2}.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := collect(t, seq)
	if total != 2 || len(got) != 2 || got[0].Alias[0] != "git:"+main || got[1].Alias[0] != "git:"+side {
		t.Errorf("the last two of %d are %v, want main at 30 and side at 40", total, got)
	}
}

// TestGitKeepsOddCommits: what people did to commits over the years.
func TestGitKeepsOddCommits(t *testing.T) {
	f := newFolder(t)
	tree := f.git("write-tree")
	head := "tree " + tree + "\nauthor %s\ncommitter Ben <b@example.org> 1700000001 +0000\n%s\n%s"
	const ada = "Ada <a@example.org> 1700000000 +0000"
	odd := []struct{ name, author, header, message, want string }{
		{"no message", ada, "", "", "(no message)"},
		{"blank message", ada, "", " \n\n", "(no message)"},
		{"latin-1 that says so", ada, "encoding ISO-8859-1\n", "gr\xf6\xdfer", "größer"},
		{"bytes", ada, "", "gr\xf6\xdfer", "gr\xf6\xdfer"},
		{"no author", " <> 1700000000 +0000", "", "x", "x"},
		{"a date before dates", "Ada <a@example.org> 99999999999999 +0000", "", "x", "x"},
		{"an author of bytes", "A\xffda <a@example.org> 1700000000 +0000", "", "x", "x"},
		{"a long author", strings.Repeat("ä", 300) + " <a@example.org> 1700000000 +0000", "", "x", "x"},
		{"words like a log", ada, "", "M a\nD b\n\x01" + strings.Repeat("a", 40), "M a\nD b\n\x01" + strings.Repeat("a", 40)},
		{"a carriage return", ada, "", "a\r\nb\r\n", "a\r\nb\r"},
		{"too long", ada, "", "a" + strings.Repeat("é", maxMessage), "a" + strings.Repeat("é", (maxMessage-5)/2) + cutMark},
	}
	want := make(map[string]int)
	for i, o := range odd {
		id := f.gitWith(
			fmt.Sprintf(head, o.author, o.header, o.message), "hash-object", "--literally", "-t", "commit", "-w",
			"--stdin",
		)
		f.git("update-ref", fmt.Sprintf("refs/heads/b%d", i), id)
		want["git:"+id] = i
	}
	all := f.read()
	if len(all) != len(odd) {
		t.Errorf("%d records, want %d", len(all), len(odd))
	}
	for _, r := range all {
		o := odd[want[r.Alias[0]]]
		b := raw(t, r)
		if got := string(b.Blob()); got != o.want {
			t.Errorf("%s: %.80q, want %.80q", o.name, got, o.want)
		}
		if bytes := b.Base64 != ""; bytes != (o.name == "bytes") {
			t.Errorf("%s: base64 = %v", o.name, bytes)
		}
		if o.name == "a date before dates" && !b.OccurredAt.IsZero() {
			t.Errorf("%s: occurred at %v, want no time", o.name, b.OccurredAt)
		}
	}
}

func TestGitNamesAtMostSoManyFiles(t *testing.T) {
	f := newFolder(t)
	for i := range maxFiles + 3 {
		f.write(fmt.Sprintf("%s/%03d", strings.Repeat("\x01", 200), i), "x")
	}
	f.commit("all")
	got := raw(t, f.read()[0]).Text
	if lines := strings.Count(got, "\n"); lines != 2+maxFiles || !strings.HasSuffix(got, "\n… and 3 more files") {
		t.Errorf("%d lines, the end %q", lines, got[len(got)-40:])
	}
}

// TestGitRunsNothing: settings of the repository, of its caller's environment
// and the look of its path neither run programs nor change what is read.
func TestGitRunsNothing(t *testing.T) {
	f := newFolder(t)
	f.write("b", "1")
	f.write("c", "1")
	f.commit("one")
	if err := os.Rename(filepath.Join(f.dir, "b"), filepath.Join(f.dir, "d")); err != nil {
		t.Fatal(err)
	}
	f.write("c", "2")
	two := f.commit("two")
	headers, message, _ := strings.Cut(f.git("cat-file", "commit", two), "\n\n")
	headers += "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
	f.git("update-ref", "HEAD", f.gitWith(headers+"\n\n"+message, "hash-object", "-t", "commit", "-w", "--stdin"))
	before := f.read()

	proof := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+proof+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "diff.external", "gpg.program", "diff.x.textconv",
		"core.sshCommand",
	} {
		f.git("config", key, program)
	}
	f.write(".git/info/attributes", "* diff=x\n")
	f.write("order", "d\n")
	for key, value := range map[string]string{
		"log.showSignature": "true", "diff.renames": "copies", "diff.orderFile": filepath.Join(f.dir, "order"),
		"log.showRoot": "false", "color.ui": "always", "core.quotepath": "true", "log.diffMerges": "separate",
		"i18n.logOutputEncoding": "UTF-16", "format.pretty": "oneline", "diff.relative": "true", "log.date": "relative",
	} {
		f.git("config", key, value)
	}
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_EXTERNAL_DIFF", program)
	t.Setenv("GIT_PAGER", program)
	t.Setenv("GIT_CONFIG_COUNT", "garbage")
	after := f.read()
	if len(after) != 2 || raw(t, after[0]).Text != raw(t, before[0]).Text ||
		raw(t, after[1]).Text != raw(t, before[1]).Text {
		t.Errorf("records = %v, want %v", after, before)
	}
	if _, err := os.Stat(proof); err == nil {
		t.Error("a command of the repository was run")
	}

	dash := filepath.Join(filepath.Dir(f.dir), "-c")
	if err := os.Rename(f.dir, dash); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(dash))
	seq, total, err := Git(t.Context(), "-c")
	if err != nil || total != 2 || collect(t, seq)[0].Meta.Session != "git:-c" {
		t.Errorf("Git(-c) = %d, %v", total, err)
	}
}

func TestGitIsTheSameFromInside(t *testing.T) {
	f := newFolder(t)
	f.write("in/side", "1")
	f.write("out", "1")
	f.commit("one")
	bare := filepath.Join(filepath.Dir(f.dir), "garden2.git")
	f.git("clone", "-q", "--bare", ".", bare)
	f.git("config", "diff.relative", "true")
	want := f.read()
	for dir, session := range map[string]string{
		filepath.Join(f.dir, "in"): "git:garden", filepath.Join(f.dir, ".git"): "git:garden", bare: "git:garden2",
	} {
		seq, _, err := Git(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		got := collect(t, seq)
		if len(got) != 1 || raw(t, got[0]).Text != raw(t, want[0]).Text || got[0].Meta.Session != session {
			t.Errorf("%s: %+v, want the session %s and %+v", dir, got, session, want)
		}
	}
}

func TestGitRefuses(t *testing.T) {
	f := newFolder(t)
	if seq, total, err := Git(t.Context(), f.dir); err != nil || total != 0 || len(collect(t, seq)) != 0 {
		t.Errorf("an empty repository = %d commits, %v", total, err)
	}
	f.write("a", "1")
	f.commit("one")
	f.write("a", "2")
	f.commit("two")
	shallow := filepath.Join(t.TempDir(), "shallow")
	f.git("clone", "-q", "--depth", "1", "file://"+f.dir, shallow)
	for dir, want := range map[string]string{
		shallow:                        "git fetch --unshallow",
		t.TempDir():                    "not a git repository",
		filepath.Join(f.dir, "nobody"): "no such folder",
		filepath.Join(f.dir, "a"):      "not a folder",
	} {
		_, _, err := Git(t.Context(), dir)
		refused(t, err, want)
	}
	t.Setenv("PATH", t.TempDir())
	_, _, err := Git(t.Context(), f.dir)
	refused(t, err, "git is not installed")
}

// TestGitEnds: a loop that is left early, or whose context ends, leaves no
// process behind, and a damaged repository is an error.
func TestGitEnds(t *testing.T) {
	f := newFolder(t)
	for i := range 20 {
		f.write("a", fmt.Sprint(i))
		f.commit(strings.Repeat("much to say ", 8<<10))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	seq, _, err := Git(ctx, f.dir)
	if err != nil {
		t.Fatal(err)
	}
	for range seq {
		break
	}
	read := 0
	for _, err = range seq {
		if read++; read == 2 {
			stop()
		}
	}
	if !errors.Is(err, context.Canceled) || read > 20 {
		t.Errorf("after %d records: %v, want that it was cancelled", read, err)
	}

	tree := f.git("rev-parse", "HEAD~3^{tree}")
	if err := os.Remove(filepath.Join(f.dir, ".git/objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	if seq, _, err = Git(t.Context(), f.dir); err == nil {
		for _, err = range seq {
		}
	}
	refused(t, err, tree)
}
