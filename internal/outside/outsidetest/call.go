package outsidetest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A Call is a use of a tool in a host, and the source of its words.
type Call struct {
	Host, Tool, Output, From string
	Input, Result, MCP       json.RawMessage
	First                    []Call // those before it in the conversation
}

// Calls reads the calls of a file, one a line.
func Calls(t testing.TB, file string) (calls []Call) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c Call
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v: %s", file, err, line)
		}
		calls = append(calls, c)
	}
	return calls
}

// Payload is what the host hands to a hook.
func (c Call) Payload(dir, session string) (event string, text []byte) {
	output, _ := json.Marshal(c.Output)
	result := output
	p := map[string]any{"session_id": session, "cwd": dir, "tool_name": c.Tool, "tool_input": c.Input}
	switch event = "PostToolUse"; c.Host {
	case "opencode":
		event = "tool.execute.after"
		p = map[string]any{"session_id": session, "cwd": dir, "tool": c.Tool, "args": c.Input, "output": c.Output}
	case "gemini":
		event = "AfterTool"
		result = fmt.Appendf(nil, `{"llmContent":%s,"returnDisplay":""}`, output)
	case "cursor":
		event = "postToolUse"
		delete(p, "session_id")
		p["conversation_id"] = session
	case "copilot":
		result = fmt.Appendf(nil, `{"result_type":"success","text_result_for_llm":%s}`, output)
		p["tool_result"] = json.RawMessage(result)
	case "claude-code":
		if c.Tool == "Bash" {
			result = fmt.Appendf(nil, `{"stdout":%s,"stderr":"","interrupted":false}`, output)
		}
	}
	if c.Result != nil {
		result = c.Result
	}
	if c.Host != "opencode" && c.Host != "copilot" {
		p["tool_response"] = json.RawMessage(result)
	}
	if c.MCP != nil {
		p["mcp_context"] = c.MCP
	}
	text, _ = json.Marshal(p)
	return event, text
}
