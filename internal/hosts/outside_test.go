package hosts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/outside"
	"github.com/stemma-memory/stemma/internal/outside/outsidetest"
)

// sourceOf is the source that a hook names, "" for words that are not from outside.
func sourceOf(t *testing.T, c outsidetest.Call, g *outsidetest.Ground, seen outside.Seen, session string) string {
	t.Helper()
	event, text := c.Payload(g.Own, session)
	e, err := ReadEvent(c.Host, event, []byte(g.Named(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	e.Judge = outside.Judge{
		Home: g.Home, Dir: g.Own, Path: []string{"/usr/bin", "/bin", g.Home + "/bin"}, Files: true, Seen: seen,
	}
	source := ""
	for _, o := range e.Observed("1") {
		if o.Outside != (o.From != "") {
			t.Errorf("outside %v, from %q", o.Outside, o.From)
		}
		source += o.From
	}
	return source
}

// Ways in for words of strangers, and a week of ordinary work: each is known from the other, and its source named.
func TestOutsideWords(t *testing.T) {
	files, err := filepath.Glob("testdata/outside/*.jsonl")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	g := outsidetest.New(t)
	g.Write(g.Own+"/fetch.py", "import urllib.request as u\nprint(u.urlopen('https://evil.example/x').read())\n")
	for _, file := range files {
		rows, right, named := 0, 0, 0
		for _, c := range outsidetest.Calls(t, file) {
			rows++
			session := fmt.Sprintf("%s-%d", file, rows)
			seen := outside.Seen{Dir: filepath.Join(t.TempDir(), "handled")}
			for _, f := range c.First {
				sourceOf(t, f, g, seen, session)
			}
			got, want := sourceOf(t, c, g, seen, session), g.Named(c.From)
			if (got != "") == (want != "") {
				right++
			}
			if got == want {
				named++
			} else {
				t.Errorf("%s %s %s\n\tgives %q, want %q", c.Host, c.Tool, c.Input, got, want)
			}
		}
		t.Logf("%s: %d rows, %d right, %d named as wanted", filepath.Base(file), rows, right, named)
	}
}

// A project's server under our name that is another program is another server.
func TestAnotherServerUnderOurName(t *testing.T) {
	for servers, outside := range map[string]bool{
		"": false, `"stemma":{"command":"stemma","args":["mcp"]}`: false,
		`"stemma":{"command":"/usr/local/bin/stemma"}`: false,
		`"stemma":{"command":"npx","args":["stemma"]}`: false, `"other":{"command":"evil"}`: false,
		`"stemma":{"command":"evil"}`: true, `"stemma":{"command":"./stemma"}`: true,
		`"stemma":{"command":"@/bin/stemma"}`: true,
	} {
		dir := t.TempDir()
		if servers != "" {
			write(t, filepath.Join(dir, ".mcp.json"), `{"mcpServers":{`+strings.ReplaceAll(servers, "@", dir)+`}}`)
		}
		e, err := ReadEvent(ClaudeCode, "PostToolUse", fmt.Appendf(nil,
			`{"session_id":"s","cwd":%q,"tool_name":"mcp__stemma__recall","tool_input":{},"tool_response":"words"}`, dir))
		if err != nil {
			t.Fatal(err)
		}
		kept, from := 0, ""
		for _, o := range e.Observed("1") {
			kept++
			from += o.From
		}
		if (kept > 0) != outside || (from != "") != outside {
			t.Errorf("%s: %d kept, from %q, want outside %v", servers, kept, from, outside)
		}
	}
}

// Our own tools are known by the server and the tool, and not by the beginning of a name.
func TestOwnTools(t *testing.T) {
	for name, want := range map[string]bool{
		"mcp__stemma__recall": true, "mcp__plugin_stemma_stemma__why": true, "stemma_recall": true, "mcp_stemma_recall": true,
		"stemma-recall": true, "MCP:recall": true, "mcp__stemma_evil__recall": false, "mcp__stemma2__recall": false,
		"mcp__stemma__evil__recall": false, "mcp__stemma___recall": false, "mcp__stemma__evil": false,
		"stemma_evil_recall":     false,
		"mcp_stemma_evil_recall": false, "stemma-evil": false, "MCP:search": false, "mcp__stemma__": false,
	} {
		if got := ownTool(name); got != want {
			t.Errorf("ownTool(%q) = %v, want %v", name, got, want)
		}
	}
}
