package hosts

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// failure reads the members by which hosts say how a tool ended; known is that one of them does.
func failure(raw json.RawMessage) (failed, known bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if raw = json.RawMessage(strings.TrimSpace(text)); len(raw) == 0 || raw[0] != '{' {
			return false, false
		}
	}
	var in fields
	if json.Unmarshal(raw, &in) != nil {
		return false, false
	}
	if there(in["error"]) && string(in["error"]) != `""` && string(in["error"]) != "false" {
		return true, true
	}
	for _, name := range []string{"is_error", "isError"} {
		if string(in[name]) == "true" {
			return true, true
		}
	}
	if result := in.text("result_type", "resultType"); result != "" && result != "success" { // of Copilot CLI
		return true, true
	}
	for _, name := range []string{"exit", "exit_code", "exitCode"} {
		if n, err := strconv.Atoi(string(in[name])); err == nil {
			return n != 0, true
		}
	}
	return false, false
}

// ended is the line in which hosts hand on to their agent how a command ended: behind all that it printed, and in
// Codex before it.
var ended = lazy.Regexp(`(?m)^(?:Exit Code: |<shellId: \S+ completed with exit code |Process exited with code |` +
	`Command exited with code )(-?\d+)(?:>|\.)?[ \t]*$`)

// mostAfter is how many lines may stand behind that line: hosts add how long it took, and the number of a process.
const mostAfter = 4

func endedWrongly(words string) bool {
	all := ended.Get().FindAllStringSubmatchIndex(words, -1)
	if all == nil {
		return false
	}
	last := all[len(all)-1]
	if strings.Count(strings.TrimSpace(words[last[1]:]), "\n") >= mostAfter {
		return false // a line of what it printed
	}
	return words[last[2]:last[3]] != "0"
}

// codexFailed reports whether the file that Codex keeps of a conversation says that a call failed.
func codexFailed(path, call string) bool {
	if call == "" {
		return false
	}
	failed := false
	eachFromEnd(path, func(line []byte) bool {
		var l struct {
			Payload struct {
				Type string
				Item struct {
					ID       string
					Status   string
					ExitCode *int `json:"exit_code"`
				}
				CallID   string `json:"call_id"` // in versions that write exec_command_end
				ExitCode *int   `json:"exit_code"`
				Success  *bool
			}
		}
		if json.Unmarshal(line, &l) != nil {
			return true
		}
		p := &l.Payload
		switch {
		case p.Item.ID == call:
			failed = p.Item.Status == "failed" || p.Item.ExitCode != nil && *p.Item.ExitCode != 0
			return false
		case p.CallID == call && (p.ExitCode != nil || p.Success != nil):
			failed = p.ExitCode != nil && *p.ExitCode != 0 || p.Success != nil && !*p.Success
			return false
		}
		return true
	})
	return failed
}

// ranCommand reports whether a tool was given a command: the words of any other tool do not say how one ended.
func ranCommand(all fields) bool {
	for _, name := range []string{"tool_input", "args"} {
		var in fields
		var text string
		if json.Unmarshal(all[name], &text) == nil {
			_ = json.Unmarshal([]byte(text), &in)
		} else {
			_ = json.Unmarshal(all[name], &in)
		}
		if in.text("command", "cmd", "script") != "" {
			return true
		}
	}
	return false
}
