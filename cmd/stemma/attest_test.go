package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit/report"
)

// attested is what an attestation of a range says, read from the real binary.
func (r *codeRepo) attested(of string) report.AttestedChange {
	r.Helper()
	var reply api.AttestReply
	if out := r.stemma("", "attest", of, "--unsigned", "--json"); json.Unmarshal([]byte(out), &reply) != nil {
		r.Fatalf("attest %s: %s", of, out)
	}
	return reply.Change
}

// A range says of each of its commits what blame says of that commit alone, although it goes through the history of a
// file once for all of them.
func TestARangeSaysWhatItsCommitsSay(t *testing.T) {
	commits := 30
	if os.Getenv("STEMMA_LONG") != "" {
		commits = 150
	}
	r := newCodeRepo(t, 11)
	r.stemma("", "hook", "install", "git")
	r.work(commits, 8, 12)
	root := strings.Fields(r.git("rev-list", "--max-parents=0", "HEAD"))[0]
	change := r.attested(root + "..HEAD")
	if want := len(strings.Fields(r.git("rev-list", root+"..HEAD"))); len(change.Commits) != want {
		t.Fatalf("%d commits, want %d", len(change.Commits), want)
	}
	lines, merges := 0, 0
	for _, c := range change.Commits {
		if c.Merge {
			if merges++; c.Lines != 0 {
				t.Errorf("a merge without conflicts brought in %d lines", c.Lines)
			}
			continue
		}
		got, want := make(map[string]int), make(map[string]int)
		for _, f := range c.Files {
			for _, by := range f.By {
				s := change.Sessions[by.Session]
				for n := range numbersOf(by.Lines) {
					got[fmt.Sprintf("%s:%d %s/%s", f.Path, n, s.Host, s.Session)]++
					lines++
				}
			}
		}
		out, err := r.command("", "stemma", "blame", "--commit", c.Commit, "--json")
		if err != nil && !strings.Contains(out, "brought no lines in") {
			t.Fatal(out)
		}
		var said api.BlameReply
		if err == nil {
			if err := json.Unmarshal([]byte(out), &said); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range said.Parts {
			for n := p.From; n <= p.To && p.Session != ""; n++ {
				want[fmt.Sprintf("%s:%d %s/%s", p.File, n, p.Host, p.Session)]++
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.Commit, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		if c.Lines < c.Seen || c.Lines < said.Lines {
			t.Errorf("%s: %d lines, %d seen; blame counts %d", c.Commit, c.Lines, c.Seen, said.Lines)
		}
	}
	if lines < 100 || merges == 0 {
		t.Errorf("%d lines of sessions, %d merges: that says little", lines, merges)
	}
}

// numbersOf reads spans such as 3-7,12.
func numbersOf(spans string) map[int]bool {
	out := make(map[int]bool)
	for _, part := range strings.Split(spans, ",") {
		var from, to int
		if n, _ := fmt.Sscanf(part, "%d-%d", &from, &to); n == 1 {
			to = from
		}
		for ; from <= to; from++ {
			out[from] = true
		}
	}
	return out
}

// A range has at most 5,000 commits, and one of so many takes seconds.
func TestALongRange(t *testing.T) {
	commits := 300
	if os.Getenv("STEMMA_LONG") != "" {
		commits = 5001
	}
	r := newCodeRepo(t, 3)
	r.stemma("", "hook", "install", "git")
	r.work(8, 4, 6)
	var in strings.Builder
	in.WriteString("reset refs/heads/main\nfrom " + strings.TrimSpace(r.git("rev-parse", "HEAD")) + "\n\n")
	for i := range commits {
		text := fmt.Sprintf("package p\n\nfunc f%d() int { return %d }\n", i, i)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <a@b.c> %d +0000\ndata 4\nnext\n", 1_800_000_000+i)
		fmt.Fprintf(&in, "M 100644 inline gen/f%d.go\ndata %d\n%s\n", i%500, len(text), text)
	}
	if out, err := r.command(in.String(), "git", "fast-import", "--quiet"); err != nil {
		t.Fatal(out)
	}
	r.git("reset", "-q", "--hard", "main")
	start := time.Now()
	change := r.attested(fmt.Sprintf("HEAD~%d..HEAD", min(commits, 4990)))
	took := time.Since(start)
	if len(change.Commits) != min(commits, 4990) || change.Seen != 0 || change.Lines < commits {
		t.Errorf("%d commits, %d lines, %d seen", len(change.Commits), change.Lines, change.Seen)
	}
	text, err := json.Marshal(change)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d commits took %v, %d bytes", len(change.Commits), took, len(text))
	if commits < 5000 {
		return
	}
	out, err := r.command("", "stemma", "attest", "HEAD~5001..HEAD", "--unsigned")
	if err == nil || !strings.Contains(out, "has more than 5000 commits; give it in parts") {
		t.Errorf("5,001 commits: %s", out)
	}
}
