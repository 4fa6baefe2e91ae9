package importers

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// isLetta reports whether a file is an agent file of Letta, of either form.
func isLetta(s *sight) bool {
	return s.list("agents") && s.any("blocks", "tools", "mcp_servers") ||
		s.has("agent_type") && s.any("core_memory", "messages", "in_context_message_indices", "memory_blocks")
}

// readLetta reads the blocks of memory of agents as notes, and what was said with them as raws.
func readLetta(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		top, err := r.object(f)
		if err != nil {
			return err
		}
		h := newHeap()
		w := lettaWriter{h, "letta:" + r.name(f)}
		agents := asList(top["agents"])
		if len(agents) == 0 {
			agents = []any{map[string]any(top)}
		}
		w.blocks("block", asList(top["blocks"]), "")
		for i, one := range agents {
			agent, ok := one.(map[string]any)
			if !ok {
				h.lost.bad("agent %d: must be an object", i+1)
				continue
			}
			w.agent(i, agent)
		}
		for _, name := range []string{"tools", "files", "sources", "mcp_servers"} {
			if n := len(asList(top[name])); n > 0 {
				h.lost.LeftOut = plus(h.lost.LeftOut, strings.ReplaceAll(name, "_", " "), n)
			}
		}
		return r.part(h)
	})
}

// A lettaWriter makes records of one file.
type lettaWriter struct {
	*heap
	prefix string
}

func (w lettaWriter) blocks(what string, list []any, agent string) {
	for i, one := range list {
		row := what + " " + strconv.Itoa(i+1)
		m, ok := one.(map[string]any)
		if !ok {
			w.lost.bad("%s: must be an object", row)
			continue
		}
		t := &taker{m: m}
		label, value, made := t.text("label"), t.text("value"), t.text("created_at")
		id := cmp.Or(t.text("id"), what+"-"+strconv.Itoa(i))
		if value == "" {
			w.lost.leaveOut("blocks without words")
			continue
		}
		w.take(row, w.keep(kept{
			row: row, alias: w.prefix + ":" + cmp.Or(agent, "all") + ":" + id,
			same: []string{"letta:=" + digestOf(label, value)}, text: value, made: made,
			about: []string{map[bool]string{true: "user", false: label}[label == "human"], agent},
			tags:  []string{"block", label}, rest: m,
		}))
	}
}

func (w lettaWriter) agent(i int, m members) {
	name := cmp.Or(m.peek("name"), "agent "+strconv.Itoa(i+1))
	w.blocks("core memory", asList(m["core_memory"]), name)
	w.blocks("memory block", asList(m["memory_blocks"]), name)
	if m.peek("system") != "" {
		w.lost.leaveOut("system prompts of agents")
	}
	if n := len(asList(m["tools"])); n > 0 && m["core_memory"] != nil {
		w.lost.LeftOut = plus(w.lost.LeftOut, "tools", n)
	}
	for n, one := range asList(m["messages"]) {
		row := "message " + strconv.Itoa(n+1)
		one, ok := one.(map[string]any)
		if !ok {
			w.lost.bad("%s: must be an object", row)
			continue
		}
		w.take(row, w.message(row, name, n, one))
	}
}

// message makes a raw of what was said. Letta wraps what people say, and agents say it by a tool.
func (w lettaWriter) message(row, agent string, n int, m members) error {
	role := m.peek("role")
	text, when := w.textOf(m["content"]), m.peek("created_at")
	if text == "" {
		text, _ = m["text"].(string)
	}
	who := role
	switch role {
	case "system":
		w.lost.leaveOut("messages of the system")
		return nil
	case "tool", "function":
		w.lost.leaveOut("calls of tools and what they returned")
		return nil
	case "user":
		var wrapped struct{ Type, Message, Name, Time string }
		if json.Unmarshal([]byte(text), &wrapped) == nil && wrapped.Type != "" {
			if wrapped.Type != "user_message" {
				w.lost.leaveOut("messages of the program, such as logins and heartbeats")
				return nil
			}
			text, who = wrapped.Message, cmp.Or(wrapped.Name, "user")
		}
	case "assistant":
		who = agent
		var saying []string
		for _, call := range asList(m["tool_calls"]) {
			call, _ := call.(map[string]any)
			f, _ := call["function"].(map[string]any)
			var arguments struct{ Message string }
			written, _ := f["arguments"].(string)
			if f["name"] == "send_message" && json.Unmarshal([]byte(written), &arguments) == nil {
				saying = append(saying, arguments.Message)
				continue
			}
			w.lost.leaveOut("calls of tools and what they returned")
		}
		if len(saying) > 0 {
			if strings.TrimSpace(text) != "" {
				w.lost.leaveOut("thoughts of models")
			}
			text = strings.Join(saying, "\n\n")
		}
	}
	return w.say(said{
		row: row, alias: w.prefix + ":" + agent + ":" + cmp.Or(m.peek("id"), strconv.Itoa(n)),
		same: []string{"letta:=" + digestOf(agent, role, when, text)}, speaker: cmp.Or(m.peek("name"), who), text: text,
		when: when, session: "letta:" + agent,
	})
}
