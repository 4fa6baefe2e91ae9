package outside

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/outside/outsidetest"
)

func call(tool, session, input string) Call {
	return Call{Host: "claude-code", Tool: tool, Session: session, Input: json.RawMessage(input)}
}

// What the agent wrote is its own in the session in which it wrote it; what was brought stays so.
func TestWhatWasDoneToFiles(t *testing.T) {
	g := outsidetest.New(t)
	j := judgeOf(t, g)
	path := filepath.Join(g.Own, "draft.md")
	g.Write(path, "words")
	read := func(session string) string {
		c := call("Read", session, `{"file_path":"`+path+`"}`)
		c.Dir = g.Own
		return j.From(c)
	}
	if got := read("one"); got != "file draft.md, not tracked" {
		t.Errorf("before it is written: %q", got)
	}
	j.From(call("Write", "one", `{"file_path":"`+path+`","content":"x"}`))
	if got := read("one"); got != "" {
		t.Errorf("written in this session: %q", got)
	}
	if got := read("two"); got == "" {
		t.Error("written in another session, and taken for this one's")
	}
	bash(t, g, j, "curl -so draft.md https://example.org/x", "")
	if got := read("one"); got != "curl example.org" {
		t.Errorf("brought over it: %q", got)
	}
	if got := read("two"); got != "curl example.org" {
		t.Errorf("brought in another session: %q", got)
	}
	j.From(call("Edit", "one", `{"file_path":"`+path+`","old_string":"a","new_string":"b"}`))
	if got := read("one"); got != "curl example.org" {
		t.Errorf("edited: %q", got)
	}
	text, err := os.ReadFile(filepath.Join(j.Seen.Dir, "handled.jsonl"))
	if err != nil || strings.Contains(string(text), "draft") {
		t.Errorf("the notes name files: %s %v", text, err)
	}
}

// A repository without a commit of this person is a clone, until they commit to it.
func TestACloneBecomesOnesOwn(t *testing.T) {
	g := outsidetest.New(t)
	j := judgeOf(t, g)
	read := func() string {
		c := call("Read", "one", `{"file_path":"`+g.Clone+`/README.md"}`)
		c.Dir = g.Own
		return j.From(c)
	}
	for range 2 { // the second time from what is kept
		if got := read(); got != "clone of github.com/a/lib" {
			t.Errorf("a clone: %q", got)
		}
	}
	g.Write(g.Clone+"/README.md", "ours now")
	g.Git(g.Clone, "ada@example.org", "add", "-A")
	g.Git(g.Clone, "ada@example.org", "commit", "-qm", "mine")
	if got := read(); got != "" {
		t.Errorf("after a commit of one's own: %q", got)
	}
}

// Files of a branch that others alone wrote are theirs while it is checked out.
func TestABranchOfOthers(t *testing.T) {
	g := outsidetest.New(t)
	j := judgeOf(t, g)
	for branch, want := range map[string]string{"pr-12": "branch pr-12 of others", "mine": "", "main": ""} {
		g.Git(g.Own, "ada@example.org", "checkout", "-q", branch)
		if got := bash(t, g, j, "cat README.md", ""); got != want {
			t.Errorf("on %s: %q, want %q", branch, got, want)
		}
	}
	tree := filepath.Join(g.Tmp, "tree")
	g.Git(g.Own, "ada@example.org", "worktree", "add", "-q", "-f", tree, "pr-12")
	if got := bash(t, g, j, "cat "+tree+"/README.md", ""); got != "branch pr-12 of others" {
		t.Errorf("in a worktree: %q", got)
	}
	g.Git(g.Own, "ada@example.org", "branch", "-q", "next", "main")
	g.Git(g.Own, "ada@example.org", "worktree", "add", "-q", tree+"2", "next")
	if got := bash(t, g, j, "cat "+tree+"2/README.md && make -C "+tree+"2", ""); got != "" {
		t.Errorf("in a worktree of one's own: %q", got)
	}
}

// A repository in a directory of others' code is others', no matter who committed to it.
func TestARepositoryAmongOthersCode(t *testing.T) {
	g := outsidetest.New(t)
	evil := filepath.Join(g.Own, "node_modules/evil")
	g.Write(evil+"/README.md", "trust me")
	g.Git(evil, "ada@example.org", "init", "-q", "-b", "main")
	g.Git(evil, "ada@example.org", "add", "-A")
	g.Git(evil, "ada@example.org", "commit", "-qm", "forged")
	j := judgeOf(t, g)
	if got := bash(t, g, j, "cat node_modules/evil/README.md", ""); got != "file node_modules/evil/README.md" {
		t.Errorf("a file: %q", got)
	}
	g.Write(evil+"/run.sh", "echo trust me")
	if got := bash(t, g, j, "sh node_modules/evil/run.sh", ""); got != "program node_modules/evil/run.sh" {
		t.Errorf("a program: %q", got)
	}
}

// A repository of strangers runs nothing when it is looked at.
func TestLookingRunsNothing(t *testing.T) {
	g := outsidetest.New(t)
	trap := filepath.Join(g.Tmp, "ran")
	g.Write(g.Tmp+"/trap.sh", "#!/bin/sh\ntouch "+trap+"\n")
	for _, set := range []string{
		"core.fsmonitor", "core.pager", "filter.x.clean", "filter.x.smudge", "diff.external", "core.sshCommand",
	} {
		g.Git(g.Clone, "a@b", "config", set, g.Tmp+"/trap.sh")
	}
	g.Git(g.Clone, "a@b", "config", "core.hooksPath", g.Tmp)
	g.Write(g.Clone+"/.gitattributes", "* filter=x\n")
	j := judgeOf(t, g)
	bash(t, g, j, "cat "+g.Clone+"/README.md "+g.Clone+"/new; git -C "+g.Clone+" show HEAD", "")
	if exists(trap) {
		t.Error("looking at a repository ran a program of it")
	}
}

// A directory without a repository is the project's; a home directory is none.
func TestWithoutARepository(t *testing.T) {
	g := outsidetest.New(t)
	j := judgeOf(t, g)
	j.Dir = g.Plain
	in := func(dir, path string) string {
		c := call("Read", "one", `{"file_path":"`+path+`"}`)
		c.Dir = dir
		return j.From(c)
	}
	if got := in(g.Plain, g.Plain+"/todo.md"); got != "" {
		t.Errorf("in the project: %q", got)
	}
	if got := in(g.Plain, g.Home+"/Downloads/page.html"); got != "file ~/Downloads/page.html" {
		t.Errorf("beside it: %q", got)
	}
	j.Dir = g.Home
	if got := in(g.Home, g.Home+"/Downloads/page.html"); got != "file ~/Downloads/page.html" {
		t.Errorf("from the home directory: %q", got)
	}
}

// A line that was made to take long does not.
func TestHostileLines(t *testing.T) {
	g := outsidetest.New(t)
	for name, line := range map[string]string{
		"tees":    "cat README.md" + strings.Repeat(" | tee -a out", 400),
		"evals":   strings.Repeat("eval 'eval \"", 200) + "ls" + strings.Repeat("\"'", 200),
		"deep":    strings.Repeat("$(", 2000) + "ls" + strings.Repeat(")", 2000),
		"braces":  strings.Repeat("(", 65_000),
		"sums":    strings.Repeat("((", 32_000),
		"ifs":     strings.Repeat("if ", 20_000),
		"pipes":   strings.Repeat("a|", 32_000),
		"loops":   strings.Repeat("for i in 1 2 3 4 5 6 7 8; do ", 12) + "cat README.md;" + strings.Repeat(" done;", 12),
		"reads":   strings.Repeat("cat README.md; cat notes.txt; ", 400),
		"strings": "python3 -c \"import os; os.system('" + strings.Repeat("'python3 -c os.system'", 300) + "')\"",
		"long":    "cat " + strings.Repeat("README.md ", 20_000),
		"broken":  "cat 'README.md | (((",
	} {
		begin := time.Now()
		bash(t, g, judgeOf(t, g), line, "")
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
