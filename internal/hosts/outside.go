package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/ops"
)

// unserved are our tools where a host does not say which server has a tool: Cursor. Names that others have, too, are
// not in it.
var unserved = []string{"recall", "remember", "correct", "why"}

// ownTool reports whether a tool is one of stemma's, by the names of the server and of the tool: its answers are memory
// already. A server whose name only begins as ours is another.
func ownTool(name string) bool {
	lower := strings.ToLower(name)
	if tool, ok := strings.CutPrefix(lower, "mcp:"); ok && slices.Contains(unserved, tool) {
		return true
	}
	for _, server := range []string{
		"mcp__stemma__", "mcp__plugin_stemma_stemma__", "stemma_", "mcp_stemma_", "stemma-", "mcp:stemma_", "mcp:stemma:",
		"mcp:stemma-",
	} {
		if tool, ok := strings.CutPrefix(lower, server); ok {
			if _, is := ops.Find(tool); is {
				return true
			}
		}
	}
	return false
}

// projectServers are the files in which a project names its MCP servers, and the member that has them.
var projectServers = map[string][2]string{
	ClaudeCode: {".mcp.json", "mcpServers"}, Copilot: {".github/mcp.json", "mcpServers"},
	Cursor: {".cursor/mcp.json", "mcpServers"}, Gemini: {".gemini/settings.json", "mcpServers"},
	OpenCode: {"opencode.json", "mcp"}, Qwen: {".qwen/settings.json", "mcpServers"},
	VSCode: {".vscode/mcp.json", "servers"},
}

// impostor reports whether the project has a server under our name that is another program: one of the project's own
// files, or of another name. A person's own settings are not doubted.
func impostor(host, dir string) bool {
	file, ok := projectServers[host]
	if !ok || !filepath.IsAbs(dir) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file[0])))
	if err != nil || len(text) > mostConfig {
		return false
	}
	all, err := parseJSONC(string(text))
	if err != nil || all.get(file[1]) == nil || all.get(file[1]).get(serverName) == nil {
		return false
	}
	var of struct {
		Command      json.RawMessage
		URL, HTTPURL string
	}
	if json.Unmarshal(plainJSON(string(text), all.get(file[1]).get(serverName)), &of) != nil {
		return true
	}
	var command string
	var words []string
	if json.Unmarshal(of.Command, &words) == nil && len(words) > 0 {
		command = words[0]
	} else {
		_ = json.Unmarshal(of.Command, &command)
	}
	if command == "" {
		return of.URL+of.HTTPURL == ""
	}
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(command)), ".exe")
	if self, err := os.Executable(); err == nil && filepath.Base(self) == filepath.Base(command) {
		base = serverName
	}
	if base != serverName {
		return !slices.Contains(launchers, base)
	}
	inProject := !filepath.IsAbs(command) || strings.HasPrefix(filepath.Clean(command), dir+string(filepath.Separator))
	return strings.ContainsAny(command, `/\\`) && inProject
}

// launchers are programs by which people start ours.
var launchers = []string{"npx", "docker", "podman", "go", "nix", "mise", "env"}
