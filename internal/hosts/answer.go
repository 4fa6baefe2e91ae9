package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/outside"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// Context returns the words with which a hook tells an agent what is to be known when
// a session begins, as the host reads them.
func Context(host, event, words string) ([]byte, error) {
	var reply any
	switch host {
	case OpenCode: // read by our own plugin
		return []byte(words + "\n"), nil
	case Cursor:
		reply = map[string]any{"additional_context": words}
	case Copilot:
		reply = map[string]any{"additionalContext": words}
	default:
		reply = map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, "additionalContext": words}}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(reply)
	return b.Bytes(), err
}

// Warning returns what a hook answers so that its host shows the user a line; nothing for hosts
// that have no such answer.
func Warning(host, text string) []byte {
	if !slices.Contains([]string{ClaudeCode, Codex, Gemini, Qwen, VSCode}, host) {
		return nil
	}
	words, err := json.Marshal(map[string]string{"systemMessage": text})
	if err != nil {
		return nil
	}
	return append(words, '\n')
}

// lastAnswer returns what the agent said last in the file that a host keeps of a
// conversation, for hosts that do not hand it over; "" where it cannot be told.
func lastAnswer(path string) string {
	answer := ""
	eachFromEnd(path, func(line []byte) (more bool) {
		answer, more = answerOn(line)
		return more
	})
	return answer
}

// answerOn returns the answer on a line, or whether one may be on a line before it.
func answerOn(line []byte) (answer string, more bool) {
	var l struct {
		Type    string `json:"type"`
		Message struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &l) != nil {
		return "", true
	}
	switch {
	case l.Type == "user" && textOf(l.Message.Content) == "": // what a tool gave
		return "", true
	case l.Type == "user":
		return "", false // it has not answered yet
	case l.Type == "assistant":
		answer = textOf(l.Message.Content)
	}
	return answer, answer == ""
}

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

// impostor is that of the project in which this happened.
func (e *Event) impostor() bool { return impostor(e.Host, cmp.Or(e.Judge.Dir, e.Dir)) }
