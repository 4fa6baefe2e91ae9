//go:build hosts

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A say is what a model answers to a request: a call of a tool, or words.
type say struct {
	tool string // recall, remember, …
	args map[string]any
	text string
}

// A talk is what a model knows when it answers: what its user said last, what tools have
// answered since, and everything else in the request.
type talk struct {
	prompt  string
	results []string
	request string   // whole
	tools   []string // those of stemma that are offered, by their own names
}

// A modelServer speaks as the servers of models do, and answers as a script says.
type modelServer struct {
	t     *testing.T
	url   string
	think func(talk) say

	prefix string // of the names of tools, at a host that has one of its own

	sync.Mutex
	talks []talk // in order
}

func newModelServer(t *testing.T, think func(talk) say) *modelServer {
	s := &modelServer{t: t, think: think}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"input_tokens":10}`)
	})
	mux.HandleFunc("POST /v1/responses", s.responses)
	mux.HandleFunc("POST /v1/chat/completions", s.completions)
	mux.HandleFunc("POST /v1beta/models/{call}", s.generate)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// said returns the conversations so far.
func (s *modelServer) said() []talk {
	s.Lock()
	defer s.Unlock()
	return slices.Clone(s.talks)
}

// answer lets the script answer, unless the request is one that a host makes for itself.
func (s *modelServer) answer(k talk) say {
	if len(k.tools) == 0 {
		return say{text: "ok"}
	}
	s.Lock()
	s.talks = append(s.talks, k)
	s.Unlock()
	return s.think(k)
}

// ownTool returns the name that stemma gave a tool.
func ownTool(name string) (string, bool) {
	for _, prefix := range []string{"mcp__stemma__", "mcp__plugin_stemma_stemma__", "stemma_", "stemma__", "stemma-"} {
		if short, is := strings.CutPrefix(name, prefix); is {
			return short, true
		}
	}
	return "", false
}

// words returns the text of what may be a string or a list of parts.
func words(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Type    string
		Text    string
		Content json.RawMessage
	}
	_ = json.Unmarshal(raw, &parts)
	var all []string
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// userWords are a user's words, without what hosts and hooks put before and after them in tags.
func userWords(raw json.RawMessage) string {
	text := words(raw)
	for _, tag := range []string{"system-reminder", "current_datetime", "qwen:user-prompt-submit-context"} {
		for {
			before, rest, has := strings.Cut(text, "<"+tag+">")
			_, after, ends := strings.Cut(rest, "</"+tag+">")
			if !has || !ends {
				break
			}
			text = before + after
		}
	}
	return strings.TrimSpace(text)
}

// event writes one event of a stream.
func event(w io.Writer, kind string, v map[string]any) {
	v["type"] = kind
	text, _ := json.Marshal(v)
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
}

// asked reads a request; ok is false where it was refused.
func asked(w http.ResponseWriter, r *http.Request, in any) (body string, ok bool) {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, in)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return string(text), err == nil
}

// messages answers as Anthropic's Messages API does.
func (s *modelServer) messages(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	body, ok := asked(w, r, &in)
	if !ok {
		return
	}
	k := talk{request: body}
	for _, t := range in.Tools {
		if name, is := ownTool(t.Name); is {
			k.tools, s.prefix = append(k.tools, name), strings.TrimSuffix(t.Name, name)
		}
	}
	for _, m := range in.Messages {
		if m.Role != "user" {
			continue
		}
		var parts []struct {
			Type, Text string
			Content    json.RawMessage
		}
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			k.prompt, k.results = text, nil
			continue
		}
		_ = json.Unmarshal(m.Content, &parts)
		for _, p := range parts {
			switch {
			case p.Type == "tool_result":
				k.results = append(k.results, words(p.Content))
			case p.Type == "text" && !strings.HasPrefix(p.Text, "<system-reminder>"):
				k.prompt, k.results = p.Text, nil
			}
		}
	}
	a := s.answer(k)
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "message_start", map[string]any{"message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "test", "content": []any{}, "stop_reason": nil,
		"stop_sequence": nil, "usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
	}})
	stop := "end_turn"
	if a.tool == "" {
		event(w, "content_block_start", map[string]any{
			"index": 0, "content_block": map[string]any{"type": "text", "text": ""},
		})
		event(w, "content_block_delta", map[string]any{"index": 0, "delta": map[string]any{
			"type": "text_delta", "text": a.text,
		}})
	} else {
		stop = "tool_use"
		args, _ := json.Marshal(a.args)
		event(w, "content_block_start", map[string]any{"index": 0, "content_block": map[string]any{
			"type": "tool_use", "id": fmt.Sprintf("toolu_%d", len(s.said())), "name": s.prefix + a.tool,
			"input": map[string]any{},
		}})
		event(w, "content_block_delta", map[string]any{"index": 0, "delta": map[string]any{
			"type": "input_json_delta", "partial_json": string(args),
		}})
	}
	event(w, "content_block_stop", map[string]any{"index": 0})
	event(w, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 5},
	})
	event(w, "message_stop", map[string]any{})
}

// responses answers as OpenAI's Responses API does.
func (s *modelServer) responses(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools []struct {
			Type, Name string
			Tools      []struct{ Name string }
		}
		Input []struct {
			Type, Role string
			Content    json.RawMessage
			Output     json.RawMessage
		}
	}
	body, ok := asked(w, r, &in)
	if !ok {
		return
	}
	k := talk{request: body}
	for _, t := range in.Tools {
		if strings.HasPrefix(t.Name, "mcp__stemma") && len(t.Tools) > 0 {
			for _, one := range t.Tools {
				k.tools = append(k.tools, one.Name)
			}
		} else if name, is := ownTool(t.Name); is {
			k.tools = append(k.tools, name)
		}
	}
	for _, i := range in.Input {
		switch {
		case i.Type == "function_call_output":
			k.results = append(k.results, words(i.Output))
		case i.Role == "user":
			if text := words(i.Content); !strings.HasPrefix(strings.TrimSpace(text), "<") {
				k.prompt, k.results = text, nil
			}
		}
	}
	a := s.answer(k)
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "response.created", map[string]any{"response": map[string]any{"id": "resp_1"}})
	item := map[string]any{
		"type": "message", "role": "assistant", "id": "msg_1",
		"content": []any{map[string]any{"type": "output_text", "text": a.text}},
	}
	if a.tool != "" {
		args, _ := json.Marshal(a.args)
		item = map[string]any{
			"type": "function_call", "id": "fc_1", "call_id": fmt.Sprintf("call_%d", len(s.said())), "name": a.tool,
			"namespace": "mcp__stemma", "arguments": string(args),
		}
	}
	event(w, "response.output_item.done", map[string]any{"output_index": 0, "item": item})
	event(w, "response.completed", map[string]any{"response": map[string]any{
		"id": "resp_1", "usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
	}})
}

// completions answers as OpenAI's Chat Completions API does.
func (s *modelServer) completions(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools []struct {
			Function struct{ Name string }
		}
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	body, ok := asked(w, r, &in)
	if !ok {
		return
	}
	k := talk{request: body}
	for _, t := range in.Tools {
		if name, is := ownTool(t.Function.Name); is {
			k.tools, s.prefix = append(k.tools, name), strings.TrimSuffix(t.Function.Name, name)
		}
	}
	for _, m := range in.Messages {
		switch m.Role {
		case "tool":
			k.results = append(k.results, words(m.Content))
		case "user":
			k.prompt, k.results = userWords(m.Content), nil
		}
	}
	a := s.answer(k)
	delta, stop := map[string]any{"role": "assistant", "content": a.text}, "stop"
	if a.tool != "" {
		args, _ := json.Marshal(a.args)
		stop = "tool_calls"
		delta = map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
			"index": 0, "id": fmt.Sprintf("call_%d", len(s.said())), "type": "function",
			"function": map[string]any{"name": s.prefix + a.tool, "arguments": string(args)},
		}}}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []map[string]any{
		{"index": 0, "delta": delta, "finish_reason": nil}, {"index": 0, "delta": map[string]any{}, "finish_reason": stop},
	} {
		text, _ := json.Marshal(map[string]any{
			"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "test", "choices": []any{choice},
		})
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// generate answers as Gemini's generateContent does, at once or as a stream.
func (s *modelServer) generate(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools []struct {
			Functions []struct{ Name string } `json:"functionDeclarations"`
		}
		Contents []struct {
			Role  string
			Parts []struct {
				Text     string
				Response *struct{ Response json.RawMessage } `json:"functionResponse"`
			}
		}
	}
	body, ok := asked(w, r, &in)
	if !ok {
		return
	}
	if strings.Contains(r.PathValue("call"), "countTokens") {
		fmt.Fprint(w, `{"totalTokens":10}`)
		return
	}
	k := talk{request: body}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			if name, is := ownTool(strings.Replace(f.Name, "mcp_stemma_", "stemma_", 1)); is {
				k.tools = append(k.tools, name)
			} else if slices.Contains([]string{"recall", "remember", "correct", "why", "recent", "status"}, f.Name) {
				k.tools = append(k.tools, f.Name)
			}
			if strings.HasSuffix(f.Name, "recall") {
				s.prefix = strings.TrimSuffix(f.Name, "recall")
			}
		}
	}
	for _, c := range in.Contents {
		for _, p := range c.Parts {
			if _, after, has := strings.Cut(p.Text, "</hook_context>"); has { // what a hook told stands before the words
				p.Text = strings.TrimSpace(after)
			}
			switch {
			case p.Response != nil:
				var said struct{ Output string }
				if json.Unmarshal(p.Response.Response, &said) != nil || said.Output == "" {
					said.Output = string(p.Response.Response)
				}
				k.results = append(k.results, said.Output)
			case c.Role == "user" && p.Text != "" && !strings.HasPrefix(strings.TrimSpace(p.Text), "<"):
				k.prompt, k.results = p.Text, nil
			}
		}
	}
	a := s.answer(k)
	part := map[string]any{"text": a.text}
	if a.tool != "" {
		part = map[string]any{"functionCall": map[string]any{"name": s.prefix + a.tool, "args": a.args}}
	}
	text, _ := json.Marshal(map[string]any{
		"candidates": []any{map[string]any{
			"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "test",
	})
	if !strings.Contains(r.PathValue("call"), "stream") {
		_, _ = w.Write(text)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", text)
}
