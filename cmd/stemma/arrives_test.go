package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A desk is where one person and their agent work: the person at a terminal, the agent by commands
// and over one connection of MCP.
type desk struct {
	*member
	mcp *speaking
}

func newDesk(t *testing.T, dir, name string) *desk {
	t.Helper()
	return &desk{member: newMember(t, dir, name)}
}

// ask runs a command as the agent and returns its standard output.
func (d *desk) ask(args ...string) string {
	d.Helper()
	return d.given("", args...)
}

// given is ask with something on standard input.
func (d *desk) given(stdin string, args ...string) string {
	d.Helper()
	c := d.command("stemma", args...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.Output()
	if err != nil {
		d.Fatalf("%s: stemma %.200q: %v: %.500s", d.name, args, err, out)
	}
	return string(out)
}

// types runs a command as the person at a terminal and returns what they see.
func (d *desk) types(args ...string) string {
	d.Helper()
	line := "stty -onlcr -echo; NO_COLOR=1 TERM=dumb exec stemma"
	for _, a := range args {
		line += " '" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	out, err := d.command("script", "-qec", line, os.DevNull).CombinedOutput()
	if err != nil {
		d.Fatalf("%s: stemma %.200q: %v: %.500s", d.name, args, err, out)
	}
	return string(out)
}

// start is what a host shows its agent when a session begins.
func (d *desk) start() string {
	d.Helper()
	event := `{"session_id":"morning","hook_event_name":"SessionStart","source":"startup","cwd":"` + d.dir + `"}`
	return d.given(event, "hook", "run", "claude-code", "SessionStart")
}

// tool calls a tool over MCP and returns the text of its reply.
func (d *desk) tool(name string, args map[string]any) string {
	d.Helper()
	if d.mcp == nil {
		d.mcp = speak(d.T, d.command("stemma", "mcp"))
		d.Cleanup(func() { d.mcp.end(d.T) })
	}
	line, err := d.mcp.call("tools/call", map[string]any{"name": name, "arguments": args})
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(line), &reply)
	}
	if err != nil || len(reply.Result.Content) != 1 || reply.Result.IsError {
		d.Fatalf("%s: %s %.200v: %v: %.500s", d.name, name, args, err, line)
	}
	return reply.Result.Content[0].Text
}

// importLines imports objects as lines of JSON, as the agent.
func (d *desk) importLines(name string, lines []map[string]any) {
	d.Helper()
	var b strings.Builder
	for _, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			d.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	file := filepath.Join(d.dir, name+".jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		d.Fatal(err)
	}
	d.ask("import", "jsonl", file)
}

// said is an answer in a form to look for words in: the strings of JSON, or the text without the
// escapes of a pack, in lower case, with one blank between words. The question is no part of it.
func said(answer string) string {
	var v any
	if strings.HasPrefix(answer, "{") && json.Unmarshal([]byte(answer), &v) == nil {
		var b strings.Builder
		stringsOf(v, &b)
		answer = b.String()
	}
	if first, rest, more := strings.Cut(answer, "\n"); more && strings.HasPrefix(first, "===") {
		answer = rest
	}
	answer = strings.NewReplacer(`\"`, `"`, `\[`, `[`, `\]`, `]`, `\\`, `\`).Replace(answer)
	return strings.ToLower(strings.Join(strings.Fields(answer), " "))
}

func stringsOf(v any, b *strings.Builder) {
	switch v := v.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, x := range v {
			stringsOf(x, b)
		}
	case map[string]any:
		for name, x := range v {
			if name != "query" {
				stringsOf(x, b)
			}
		}
	}
}

// holds says whether an answer gives words whole.
func holds(answer, words string) bool {
	return strings.Contains(said(answer), strings.ToLower(strings.Join(strings.Fields(words), " ")))
}

// An entry is what recall and search have of one result.
type entry struct {
	Ref, Text    string
	Mark         string   // over MCP
	Marks        []string // with --json
	At           string
	CreatedAt    string `json:"created_at"`
	OccurredAt   string `json:"occurred_at"`
	SupersededBy any    `json:"superseded_by"`
	Superseded   any    `json:"superseded"`
}

// entries reads the results of recall and search, over MCP or with --json.
func entries(t *testing.T, answer string) []entry {
	t.Helper()
	var reply struct{ Results []entry }
	if err := json.Unmarshal([]byte(answer), &reply); err != nil {
		t.Fatalf("%v: %.500s", err, answer)
	}
	return reply.Results
}

// marked says whether an entry says of itself that it does not simply hold.
func (e entry) marked() bool {
	return e.Mark != "" || len(e.Marks) > 0 || e.SupersededBy != nil || e.Superseded != nil
}

// objects are the results of an answer over MCP, each as its JSON.
func objects(t *testing.T, answer string) []string {
	t.Helper()
	var reply struct{ Results []json.RawMessage }
	if err := json.Unmarshal([]byte(answer), &reply); err != nil {
		t.Fatalf("%v: %.500s", err, answer)
	}
	var out []string
	for _, r := range reply.Results {
		out = append(out, string(r))
	}
	return out
}
