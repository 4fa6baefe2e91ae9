package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The program takes each format in by its name alone, finds the words, and takes nothing twice.
func TestEveryFormatComesIn(t *testing.T) {
	const fixtures = "../../internal/importers/testdata/formats"
	words := map[string]string{
		"chatgpt": "beans in Oslo", "claude-ai": "375 g water", "gemini-takeout": "swifts", "gemini-cli": "header is missing",
		"messages-openai": "Elbe", "messages-tuning": "Hello, Ada", "messages-langchain": "Miso", "slack": "PostgreSQL",
		"mbox": "blue pot", "mem0-history": "Bergen", "graphiti": "Adidas", "letta": "Rex", "letta-old": "chess",
		"openmemory": "Neovim", "openmemory-list": "Neovim", "claude-mem-export": "carts in Redis", "engram": "NATS",
		"hindsight": "Alice works", "supermemory": "Lucia", "obsidian": "harbour", "notion": "load test",
		"claude-memory": "race detector", "memory-block": "British English", "text": "lamp", "read-graph": "rye",
		"claude-code": "cart empty", "codex": "test for the cart", "rules": "short names",
		"kernle-forgotten": "Shipping early", "basic-prose": "80 degrees",
	}
	added := regexp.MustCompile(`^[1-9]\d* records? added \(.*\), 0 already present`)
	for name, word := range words {
		t.Run(name, func(t *testing.T) {
			where, err := filepath.Abs(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			run := func(args ...string) string {
				t.Helper()
				c := exec.Command("stemma", args...)
				c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"))
				out, err := c.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
				return string(out)
			}
			if out := run("import", where); name != "chatgpt" && !added.MatchString(out) {
				t.Errorf("import says %s", out)
			}
			if out := run("search", word, "--json", "--all"); !strings.Contains(out, word) {
				t.Errorf("%q is not found: %s", word, out)
			}
			if out := run("import", where); !strings.HasPrefix(out, "0 records added, ") || strings.Contains(out, "changed") {
				t.Errorf("again says %s", out)
			}
			if out := run("load"); strings.Contains(out, word) && !strings.Contains(out, "external") {
				t.Errorf("it guides an agent: %s", out)
			}
		})
	}
}
