package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// marker stands before each block of a page whose commands are run.
const marker = "<!-- tested -->\n```\n"

// persons are the commands that only a person may give, at a terminal.
var persons = regexp.MustCompile(`^stemma (approve|reject|quarantine|release|resolve|purge) `)

// quoted writes a command of a shell as a script's.
var quoted = strings.NewReplacer("'", "''", `"`, "'")

// README's commands run in an empty home, and print what it shows.
func TestReadme(t *testing.T) {
	if n := followPage(t, "../../README.md", false); n < 5 && !t.Failed() {
		t.Errorf("%d commands run in README, want at least 5", n)
	}
}

// TestDocs runs the commands of every page in docs that has marked blocks.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	blocks := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) { blocks += runPage(t, page) })
	}
	if blocks < 10 {
		t.Errorf("%d marked blocks in docs, want at least 10", blocks)
	}
}

// runPage runs the commands of a page's marked blocks, in order, in a repository
// with a commit and a source file, and counts the blocks. A write gives its ref
// to $KIND and to $KIND1, 2, …; what follows two spaces and a # is talk.
func runPage(t *testing.T, name string) int {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), marker)[1:]
	if len(blocks) == 0 {
		return 0
	}
	script := "exec git init -q\nexec git add store\nexec git commit -q -m Begin\n"
	count := make(map[string]int)
	for _, b := range blocks {
		body, _, _ := strings.Cut(b, "```")
		for line := range strings.Lines(body) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			if !ok {
				t.Fatalf("%s: %q in a marked block is no command", name, line)
			}
			command, _, _ = strings.Cut(command, "  #")
			if to, file, piped := cutOutput(command); piped {
				command = to + "\ncp stdout " + file
			}
			if persons.MatchString(command) {
				command = "own " + command
			}
			script += quoted.Replace(command) + "\n"
			if kind := written(command); kind != "" {
				count[kind]++
				script += fmt.Sprintf("set %s\nset %s%d\n", kind, kind, count[kind])
			}
		}
	}
	script += "-- store/open.go --\npackage store\n\nfunc Open() {}\n"
	file := filepath.Join(t.TempDir(), "page.txt")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := params()
	p.Files = []string{file}
	testscript.Run(t, p)
	return len(blocks)
}

// cutOutput takes "> file" from the end of a command.
func cutOutput(command string) (rest, file string, ok bool) {
	rest, file, ok = strings.Cut(command, " > ")
	return strings.TrimSpace(rest), strings.TrimSpace(file), ok
}

// written names the kind that a command stores, in capitals.
func written(command string) string {
	for pattern, kind := range map[string]string{
		`^stemma raw ["']`: "RAW", `^stemma note ["']`: "NOTE", `^stemma promote `: "EPISODE",
		`^stemma consolidate `: "BELIEF", `^stemma belief (revise|["'])`: "BELIEF",
	} {
		if regexp.MustCompile(pattern).MatchString(command) {
			return kind
		}
	}
	return ""
}
