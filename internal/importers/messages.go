package importers

import (
	"cmp"
	"strconv"
	"strings"
)

// isMessages reports whether a file is of messages as programs send them to models.
func isMessages(s *sight) bool {
	in := func(under string) bool {
		return s.has(under+"role") && s.any(under+"content", under+"parts") ||
			s.is(under+"type", "human", "ai", "system", "AIMessageChunk", "HumanMessage", "AIMessage") &&
				s.any(under+"data", under+"content") ||
			s.is(under+"type", "constructor") && s.has(under+"lc") || s.has(under+"from", under+"value")
	}
	return in("") || in("messages[].") || in("conversations[].") || in("conversation[].") ||
		s.has("prompt", "completion") && !s.has("id", "memory") || in("input.messages[].")
}

// readMessages reads conversations: the list of one, several, or one a line, as for fine-tuning. A message without
// an id is told by its conversation and its place in it; in another file, by all that was said up to it.
func readMessages(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		s, err := f.look(r.ctx)
		if err != nil {
			return err
		}
		h := newHeap()
		w := &messageWriter{h: h, source: r.name(f), begun: make(map[string]int)}
		whole := s.any("role", "type", "from", "lc") // the file is one conversation
		if err := r.each(f, "entry", nil, func(e element) error {
			if whole && e.members["messages"] == nil {
				return w.one(e.row, e.members)
			}
			return w.talk(e)
		}); err != nil {
			return err
		}
		return r.part(h)
	})
}

// A messageWriter makes raws of messages.
type messageWriter struct {
	h      *heap
	source string
	begun  map[string]int // conversations that began alike
	before string         // tells what was said before
	id     string         // of the conversation
	n      int
	when   string
}

// talk reads one conversation.
func (w *messageWriter) talk(e element) error {
	w.before, w.n, w.id = "", 0, ""
	for _, name := range []string{"conversation_id", "session_id", "thread_id", "custom_id", "id"} {
		w.id = cmp.Or(w.id, e.peek(name))
	}
	w.when = cmp.Or(e.peek("created_at"), e.peek("created"), e.peek("timestamp"))
	if e.members["prompt"] != nil && e.members["completion"] != nil {
		for _, side := range []struct{ who, name string }{{"user", "prompt"}, {"assistant", "completion"}} {
			if err := w.one(e.row, members{"role": side.who, "content": e.members[side.name]}); err != nil {
				return err
			}
		}
		return nil
	}
	list := asList(e.members["messages"])
	for _, name := range []string{"conversations", "conversation"} {
		if len(list) == 0 {
			list = asList(e.members[name])
		}
	}
	if input, ok := e.members["input"].(map[string]any); ok && len(list) == 0 {
		list = asList(input["messages"])
	}
	if len(list) == 0 {
		return errString("messages: are missing")
	}
	for _, one := range list {
		m, ok := one.(map[string]any)
		if !ok {
			w.h.lost.bad("%s: a message must be an object", e.row)
			continue
		}
		if err := w.one(e.row, m); err != nil {
			return err
		}
	}
	return nil
}

// spokenBy are the names of LangChain and ShareGPT for who speaks.
var spokenBy = map[string]string{
	"human": "user", "HumanMessage": "user", "HumanMessageChunk": "user", "ai": "assistant", "AIMessage": "assistant",
	"AIMessageChunk": "assistant", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant",
	"SystemMessage": "system", "ToolMessage": "tool", "FunctionMessage": "tool", "function": "tool", "developer": "system",
}

// one reads one message.
func (w *messageWriter) one(row string, m members) error {
	kind := cmp.Or(m.peek("role"), m.peek("from"), m.peek("type"))
	content := m["content"]
	if kind == "constructor" { // what LangChain's dumps writes
		names := asList(m["id"])
		if len(names) > 0 {
			kind, _ = names[len(names)-1].(string)
		}
		inner, _ := m["kwargs"].(map[string]any)
		m, content = inner, inner["content"]
	}
	if data, ok := m["data"].(map[string]any); ok && content == nil {
		m, content = data, data["content"]
	}
	if content == nil {
		content = cmp.Or(m["value"], m["parts"])
	}
	who := kind
	if name, known := spokenBy[kind]; known {
		who = name
	}
	switch who {
	case "system":
		w.h.lost.leaveOut("messages of the system")
		return nil
	case "tool":
		w.h.lost.leaveOut("calls of tools and what they returned")
		return nil
	}
	if len(asList(m["tool_calls"])) > 0 {
		w.h.lost.leaveOut("calls of tools and what they returned")
	}
	text := w.h.textOf(content)
	w.n++
	w.before = digestOf(w.before, who, text)
	if w.id == "" { // a conversation without an id is told by how it begins
		w.id = w.before
		if w.begun[w.id]++; w.begun[w.id] > 1 {
			w.id += "~" + strconv.Itoa(w.begun[w.id])
		}
	}
	id := m.peek("id")
	if id == "" {
		id = w.id + ":" + strconv.Itoa(w.n)
	}
	when := ""
	for _, name := range []string{"created_at", "timestamp", "created", "time", "date", "ts"} {
		when = cmp.Or(when, m.peek(name))
	}
	speaks := who
	if name := strings.TrimSpace(m.peek("name")); name != "" {
		speaks = name
	}
	return w.h.say(said{
		row: row, alias: "messages:" + w.source + ":" + id, same: []string{"messages:=" + digestOf(w.id, w.before)},
		speaker: speaks, text: text, when: cmp.Or(when, w.when), session: "messages:" + w.source + ":" + w.id,
	})
}
