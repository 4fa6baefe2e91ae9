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
var persons = regexp.MustCompile(`^stemma (approve|quarantine|release) `)

// TestReadme runs the commands of the README's marked blocks, in order, in a
// repository with a commit and a source file. A write gives its ref to $KIND and to $KIND1, 2, …
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script := "exec git init -q\nexec git add store\nexec git commit -q -m Begin\n"
	blocks := strings.Split(string(page), marker)[1:]
	if len(blocks) < 4 {
		t.Fatalf("%d marked blocks in README, want at least 4", len(blocks))
	}
	count := make(map[string]int)
	for _, b := range blocks {
		body, _, _ := strings.Cut(b, "```")
		for line := range strings.Lines(body) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			if !ok {
				t.Fatalf("README: %q in a marked block is no command", line)
			}
			if persons.MatchString(command) {
				command = "own " + command
			}
			script += strings.ReplaceAll(command, `"`, `'`) + "\n"
			if kind := written(command); kind != "" {
				count[kind]++
				script += fmt.Sprintf("set %s\nset %s%d\n", kind, kind, count[kind])
			}
		}
	}
	script += "-- store/open.go --\npackage store\n\nfunc Open() {}\n"
	file := filepath.Join(t.TempDir(), "readme.txt")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := params()
	p.Files = []string{file}
	testscript.Run(t, p)
}

// written names the kind that a command stores, in capitals.
func written(command string) string {
	for pattern, kind := range map[string]string{
		`^stemma raw "`: "RAW", `^stemma note "`: "NOTE", `^stemma promote `: "EPISODE", `^stemma consolidate `: "BELIEF", `^stemma belief (revise|")`: "BELIEF",
	} {
		if regexp.MustCompile(pattern).MatchString(command) {
			return kind
		}
	}
	return ""
}
