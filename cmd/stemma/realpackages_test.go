//go:build hosts

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packages returns the project's directory, and that of a host's package in it.
func packages(t *testing.T, name string) (root, dir string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root, filepath.Join(root, "packages", name)
}

// takePackage has the host itself check the package for it and install it.
func (h *realHost) takePackage() {
	h.t.Helper()
	switch h.name {
	case "claude-code":
		root, dir := packages(h.t, "claude")
		h.run("claude", "plugin", "validate", "--strict", root)
		h.run("claude", "plugin", "validate", "--strict", dir)
		h.run("claude", "plugin", "marketplace", "add", root)
		h.run("claude", "plugin", "install", "stemma@stemma")
		parts := h.run("claude", "plugin", "details", "stemma@stemma")
		for _, want := range []string{"memory, recall, remember, why", "Hooks (8)", "MCP servers (1)"} {
			if !strings.Contains(parts, want) {
				h.t.Errorf("Claude Code does not see %q: %s", want, parts)
			}
		}
	case "codex":
		root, _ := packages(h.t, "codex")
		h.run("codex", "plugin", "marketplace", "add", root)
		h.run("codex", "plugin", "add", "stemma@stemma")
	case "gemini":
		_, dir := packages(h.t, "gemini")
		h.run("gemini", "extensions", "validate", dir)
		h.run("gemini", "extensions", "install", dir, "--consent")
	}
}

// A host takes its package from the tree, lists the MCP server, calls its tools, and keeps what
// is said, once. With what init writes beside it, too.
func TestRealHostsTakePackages(t *testing.T) {
	if os.Getenv(hostsDir) == "" {
		t.Fatalf("%s is not set: scripts/hosts.sh installs the hosts and says where", hostsDir)
	}
	for _, name := range []string{"claude-code", "codex", "gemini"} {
		for _, both := range []bool{false, true} {
			t.Run(name+map[bool]string{true: "/with init"}[both], func(t *testing.T) {
				model := newModelServer(t, remembers)
				h := newRealHostWith(t, name, model, func(h *realHost) {
					h.takePackage()
					if both {
						h.run("stemma", "init", name)
					}
				})
				if list := h.listed(); !strings.Contains(list, "stemma") {
					t.Errorf("the host does not list stemma: %s", list)
				}
				h.session("We decided: orders are kept in SQLite, one file is easy to back up. Keep that in mind.")
				last := h.session("Which database do we use for orders?")
				if !strings.Contains(last, "Orders are kept in SQLite") {
					t.Errorf("the last answer is %s", last)
				}
				begun := 0
				for _, talk := range model.said() {
					if strings.Contains(talk.prompt, "Which database") && begun == 0 {
						begun = strings.Count(talk.request, "Orders are kept in SQLite")
					}
				}
				if begun != 1 {
					t.Errorf("the second session began with the decision %d times", begun)
				}
				h.kept("We decided: orders", "Which database")
			})
		}
	}
}
