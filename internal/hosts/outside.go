package hosts

import (
	"encoding/json"
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
	judge.Ours = ownTool
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
	for _, server := range []string{"mcp__stemma__", "mcp__plugin_stemma_stemma__"} {
		if tool, ok := strings.CutPrefix(lower, server); ok {
			return tool != "" && !strings.HasPrefix(tool, "_") && !strings.Contains(tool, "__")
		}
	}
	if tool, ok := strings.CutPrefix(lower, "mcp:"); ok && slices.Contains(unserved, tool) {
		return true
	}
	for _, server := range []string{"stemma_", "mcp_stemma_", "stemma-", "mcp:stemma_", "mcp:stemma:", "mcp:stemma-"} {
		if tool, ok := strings.CutPrefix(lower, server); ok {
			if _, is := ops.Find(tool); is {
				return true
			}
		}
	}
	return false
}
