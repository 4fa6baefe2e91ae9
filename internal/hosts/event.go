package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/media"
	"github.com/stemma-memory/stemma/internal/outside"
	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// MaxEvent is how long an event may be that a host hands to a hook, in bytes.
const MaxEvent = 16 << 20

// An Event is what a host told a hook.
type Event struct {
	Host, Name string
	Session    string
	Dir        string        // where the agent stood
	Transcript string        // the file that the host keeps of the conversation
	Parent     string        // the conversation whose agent gave a sub-agent its task, where that has another name
	Agent      string        // the sub-agent, where the host says that it is one
	Paths      []string      // of files that it names, as they stand there
	Torn       bool          // its end is missing
	Judge      outside.Judge // of whose words a tool gave
	fields     fields
	moment     moment
	asked      time.Time // the prompt that this is the answer to was said
	owed       bool      // the answer is not written down yet
}

// ReadEvent reads what a host hands to a hook.
func ReadEvent(host, name string, text []byte) (*Event, error) {
	if moments[host] == nil {
		return nil, fmt.Errorf("unknown host %.40q", host)
	}
	e := &Event{Host: host, Name: name, moment: moments[host][name]}
	if e.moment == nothing {
		return nil, fmt.Errorf("%s has no event %.40q", host, name)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}")
	}
	if len(text) > MaxEvent {
		text, e.Torn = text[:MaxEvent], true
	}
	if e.Torn || json.Unmarshal(text, &e.fields) != nil {
		if e.fields = mended(text); e.fields == nil {
			return nil, errors.New("it is not a JSON object") // the parser's words may repeat what it holds
		}
		e.Torn = true
	}
	e.Session = shorten.To(e.fields.text("session_id", "sessionId", "sessionID", "conversation_id"), memory.MaxNameBytes)
	e.Agent, e.Parent = subAgentOf(e.fields, e.Session)
	e.Dir = e.fields.text("cwd", "directory")
	if e.Dir == "" {
		var roots []string
		if json.Unmarshal(e.fields["workspace_roots"], &roots) == nil && len(roots) > 0 {
			e.Dir = roots[0]
		}
	}
	e.Transcript = e.fields.text("transcript_path")
	for _, name := range []string{"tool_input", "args", "tool_response"} {
		e.Paths = append(e.Paths, pathsIn(e.fields[name])...)
	}
	for _, name := range []string{"file_path", "filePath", "path"} {
		if p := e.fields.text(name); p != "" {
			e.Paths = append(e.Paths, p)
		}
	}
	return e, nil
}

// Begins reports whether a session begins.
func (e *Event) Begins() bool { return e.moment == begins }

// Asks reports whether the hook is to answer with what the agent is to know; first is whether
// it is the first of its conversation. Qwen Code drops what it is told when a session begins.
func (e *Event) Asks(first bool) bool {
	if e.Host == Qwen {
		return e.moment == prompted && first && strings.TrimSpace(strings.Join(e.prompt(), "")) != ""
	}
	return e.moment == begins
}

// OfTool reports whether it tells of the use of a tool.
func (e *Event) OfTool() bool { return e.moment == used }

// Ends reports whether a session ends.
func (e *Event) Ends() bool { return e.moment == ends }

// Observed returns what is to be kept of an event: nothing of one that says nothing.
// ID names this happening. Secrets and private spans are gone, and long words are
// cut: what this gives may be written down anywhere.
func (e *Event) Observed(id string) []engine.Observed {
	var out []engine.Observed
	add := func(part string, o engine.Observed) {
		if strings.TrimSpace(o.Text) == "" {
			return
		}
		o.ID = id + part
		o.Session, o.Platform = clean(e.Session), e.Host
		out = append(out, o)
	}
	switch e.moment {
	case prompted:
		e.prompted(add)
	case answered:
		if e.owes() && e.fields.text("last_assistant_message") == "" {
			a, found := awaitCopilot(e.Transcript, e.asked, e.at())
			if e.owed = !found; found {
				add("", a.observed(e.Session))
			}
			return out
		}
		text := clip(e.answer())
		o := engine.Observed{
			Text: text.words, Caption: text.note, Event: "assistant_response", Speaker: "assistant",
			Said: e.said("answer", text.words),
		}
		if e.Agent != "" || strings.HasPrefix(strings.ToLower(e.Name), "subagent") {
			o.Speaker, o.Tags = subAgent, []string{subAgentTag}
		}
		add("", o)
	case used:
		e.tool(add)
	case compacts:
		words := "The host shortens the conversation here"
		if by := e.fields.text("trigger"); by != "" {
			words += " (" + clean(shorten.To(by, 40)) + ")"
		}
		words += "."
		if more := clip(e.fields.text("custom_instructions")); more.words != "" {
			words += " It was told to keep: " + more.words
		}
		add("", engine.Observed{Text: words, Event: "turn", Speaker: ownwords.Speaker, Tags: []string{"compaction"}})
	}
	return out
}

func (e *Event) answer() string {
	if s := e.fields.text("last_assistant_message", "prompt_response", "text"); s != "" {
		return s
	}
	if e.Agent != "" {
		return "" // the file is that of the conversation which it works for
	}
	return lastAnswer(e.Transcript)
}

// tool tells of a call and of what it gave.
func (e *Event) tool(add func(string, engine.Observed)) {
	name := clean(shorten.To(e.fields.text("tool_name", "tool"), memory.MaxNameBytes))
	if name == "" {
		name = "tool"
	}
	if noNews(name) && !(ownTool(name) && e.impostor()) {
		return
	}
	call := e.fields.text("tool_use_id", "callID", "call_id")
	input := e.fields["tool_input"]
	if input == nil {
		input = e.fields["args"]
	}
	asked, gave := callWords(name, input), unwrapped(e.Host, resultWords(e.result()))
	said := gave
	if file := guardedIn(input); file != "" {
		asked = guardedCall(name, file, input)
		if gave != "" {
			gave = guardedNote(file)
		}
	}
	words := clip(asked)
	o := engine.Observed{Text: words.words, Caption: words.note, Event: "tool_call", Speaker: "assistant"}
	if call != "" {
		o.Alias = []string{callAlias(e.Host, e.Session, call, "call")}
	}
	add("/call", o)
	out := clip(gave)
	o = engine.Observed{Text: out.words, Caption: out.note, Event: "tool_output", Speaker: name, Tool: true}
	o.From = e.source(name, input, said)
	o.Outside = o.From != ""
	if e.failed() {
		o.Event = "error"
	}
	if call != "" {
		o.Alias = []string{callAlias(e.Host, e.Session, call, "output")}
	}
	add("/output", o)
}

// result is what a tool gave, under the name that the host has for it.
func (e *Event) result() json.RawMessage {
	for _, name := range []string{
		"tool_response", "tool_result", "tool_output", "result_json", "output", "error", "error_message",
	} {
		if raw := e.fields[name]; raw != nil && string(raw) != "null" {
			return raw
		}
	}
	return nil
}

// failed reports whether a tool did not do what it was asked: in the form of each host.
func (e *Event) failed() bool {
	if strings.HasSuffix(e.Name, "Failure") || there(e.fields["error"]) || there(e.fields["error_message"]) {
		return true
	}
	for _, name := range []string{"tool_response", "tool_result", "tool_output", "result_json", "metadata"} {
		if says, known := failure(e.fields[name]); known {
			return says
		}
	}
	if e.Host == Codex { // its hook is not told how a command ended
		return codexFailed(e.Transcript, e.fields.text("tool_use_id"))
	}
	return e.Host != ClaudeCode && ranCommand(e.fields) && endedWrongly(resultWords(e.result()))
}

// callWords is what an agent asked of a tool, as one reads it.
func callWords(name string, input json.RawMessage) string {
	var object fields
	if json.Unmarshal(input, &object) == nil && len(object) == 1 {
		for _, only := range []string{"command", "cmd", "query", "pattern", "prompt"} {
			if s := object.text(only); s != "" {
				return name + ": " + s
			}
		}
	}
	if s := resultWords(input); s != "" {
		return name + ": " + s
	}
	return name
}

// resultWords returns the words in what a tool took or gave: text where there is some,
// and JSON otherwise.
func resultWords(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	raw = media.In(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if inner := json.RawMessage(strings.TrimSpace(s)); len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') &&
			json.Valid(inner) {
			return resultWords(inner) // JSON in a string
		}
		return s
	}
	if s := textOf(raw); s != "" {
		return s
	}
	var object fields
	if json.Unmarshal(raw, &object) == nil {
		var parts []string
		for _, name := range []string{
			"stdout", "stderr", "output", "llmContent", "content", "result", "text", "error", "text_result_for_llm",
			"binaryResultsForLlm",
		} {
			if part := resultWords(object[name]); part != "" && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
		if len(parts) > 0 && !slices.ContainsFunc(
			[]string{"command", "file_path", "old_string"}, func(n string) bool { return object[n] != nil },
		) {
			return strings.Join(parts, "\n")
		}
	}
	return asJSON(raw)
}

// asJSON writes a value without escapes that no one reads.
func asJSON(raw json.RawMessage) string {
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return string(raw)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(withoutPrivate(v)) != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}

// withoutPrivate takes private spans out of each string by itself: one that has no
// end takes the rest of its string, not of the object.
func withoutPrivate(v any) any {
	switch v := v.(type) {
	case string:
		return secrets.Private(v)
	case []any:
		for i := range v {
			v[i] = withoutPrivate(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = withoutPrivate(v[k])
		}
	}
	return v
}

// textOf joins the texts of a list of blocks, as models' messages have them.
func textOf(raw json.RawMessage) string { return strings.Join(textsOf(raw), "\n") }

// textsOf returns the texts of a list of blocks.
func textsOf(raw json.RawMessage) []string {
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil
	}
	var parts []string
	for _, b := range blocks {
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return parts
}

// owes reports whether a host tells of an answer before it has written it down.
func (e *Event) owes() bool { return e.Host == Copilot && e.Agent == "" && e.Session != "" }

// at is when an event happened, as its host says.
func (e *Event) at() time.Time {
	if at, err := time.Parse(time.RFC3339Nano, e.fields.text("timestamp")); err == nil {
		return at
	}
	if ms, err := strconv.ParseInt(string(e.fields["timestamp"]), 10, 64); err == nil && ms > 0 {
		return time.UnixMilli(ms)
	}
	return time.Now()
}
