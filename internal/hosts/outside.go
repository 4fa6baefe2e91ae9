package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/outside"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// mostSource is the longest name of a source that is kept, in bytes.
const mostSource = 200

// source names where the words of a tool came from, for a reader; "" for words that are not from outside.
func (e *Event) source(tool string, input json.RawMessage, gave string) string {
	judge := e.Judge
	judge.Ours = func(name string) bool { return ownTool(name) && !e.impostor() }
	from := judge.From(outside.Call{
		Host: e.Host, Tool: tool, Server: e.server(), Input: input, Result: e.result(), Output: gave, Dir: e.Dir,
		Session: e.Session,
	})
	return strings.Join(strings.Fields(clean(shorten.To(from, mostSource))), " ")
}

// server is the MCP server that has a tool, where the host says so beside the name: Gemini CLI does.
func (e *Event) server() string {
	var of struct {
		Server string `json:"server_name"`
	}
	_ = json.Unmarshal(e.fields["mcp_context"], &of)
	return of.Server
}

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
func (e *Event) impostor() bool {
	file, ok := projectServers[e.Host]
	dir := e.Judge.Dir
	if dir == "" {
		dir = e.Dir
	}
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
	var of fields
	if json.Unmarshal(plainJSON(string(text), all.get(file[1]).get(serverName)), &of) != nil {
		return true
	}
	command := of.text("command")
	var words []string
	if json.Unmarshal(of["command"], &words) == nil && len(words) > 0 {
		command = words[0]
	}
	if command == "" {
		return of.text("url", "httpUrl") == ""
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
