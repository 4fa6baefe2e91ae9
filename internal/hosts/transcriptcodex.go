package hosts

import (
	"encoding/json"
	"errors"

	"github.com/stemma-memory/stemma/internal/ownwords"
)

// codexItem is what a line of Codex holds.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"` // of a tool of an MCP server: mcp__stemma
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	Action    json.RawMessage `json:"action"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
	Passed    struct {
		Kinds []string `json:"content_item_kinds"` // whose each block of the content is
	} `json:"internal_chat_message_metadata_passthrough"`
}

func (r *transcriptReader) codex(e *entry) error {
	var it codexItem
	if json.Unmarshal(e.Payload, &it) != nil {
		return nil // of a kind that we do not know
	}
	switch e.Type {
	case "session_meta":
		var meta fields
		_ = json.Unmarshal(e.Payload, &meta)
		if by, is := ownwords.Marked(Codex, meta); is { // what it was copied from may follow
			r.marked = by
		}
		r.session = it.ID
		return nil
	case "response_item":
	default:
		return nil // told again as an item
	}
	if r.session == "" {
		return errors.New("no session_meta comes before it")
	}
	switch it.Type {
	case "message":
		switch it.Role {
		case "user":
			r.codexPrompt(e, &it)
		case "assistant":
			r.add(e, r.session, textOf(it.Content), part{event: "assistant_response", speaker: "assistant", what: "answer"})
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		input := json.RawMessage(it.Arguments)
		if !json.Valid(input) {
			input, _ = json.Marshal(it.Arguments + it.Input)
		}
		if it.Type == "local_shell_call" {
			input, it.Name = it.Action, "shell"
		}
		if it.Namespace != "" {
			it.Name = it.Namespace + "__" + it.Name
		}
		r.tools[it.CallID] = it.Name
		if !noNews(it.Name) {
			r.add(
				e, r.session, r.asked(it.CallID, it.Name, input),
				part{event: "tool_call", speaker: "assistant", alias: callAlias(Codex, r.session, it.CallID, "call")},
			)
		}
	case "function_call_output", "custom_tool_call_output":
		if name, called := r.tools[it.CallID]; !noNews(name) && (called || !r.unknown()) {
			r.add(
				e, r.session, r.gave(it.CallID, resultWords(it.Output)),
				part{event: "tool_output", speaker: name, alias: callAlias(Codex, r.session, it.CallID, "output")},
			)
		}
	}
	return nil
}
