package outside

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/outside/outsidetest"
)

// judgeOf is a judge on a ground, who has seen nothing yet.
func judgeOf(t *testing.T, g *outsidetest.Ground) Judge {
	return Judge{
		Home: g.Home, Dir: g.Own, Path: []string{"/usr/bin", "/bin", "/usr/local/bin", g.Home + "/bin"}, Files: true,
		Seen: Seen{Dir: filepath.Join(t.TempDir(), "handled")},
		Ours: func(tool string) bool { return strings.HasPrefix(tool, "mcp__stemma__") },
	}
}

// bash judges a command of Claude Code.
func bash(t *testing.T, g *outsidetest.Ground, j Judge, line, output string) string {
	t.Helper()
	input, err := json.Marshal(map[string]string{"command": g.Named(line)})
	if err != nil {
		t.Fatal(err)
	}
	return j.From(Call{
		Host: "claude-code", Tool: "Bash", Input: input, Output: g.Named(output), Dir: g.Own, Session: "one",
	})
}
