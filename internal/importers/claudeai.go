package importers

import (
	"cmp"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// isClaudeAI reports whether a file is of an export of Claude.ai: conversations, projects or memories.
func isClaudeAI(s *sight) bool {
	return s.list("chat_messages") && s.any("uuid", "name") ||
		s.has("uuid", "prompt_template") || s.has("uuid") && s.list("docs") ||
		s.any("conversations_memory", "project_memories")
}

// readClaudeAI reads conversations, the instructions and documents of projects, and what Claude
// remembers of a person.
func readClaudeAI(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		return r.each(f, "entry", nil, func(e element) error {
			h := newHeap()
			var err error
			switch {
			case e.members["chat_messages"] != nil:
				err = claudeTalk(h, e)
			case e.members["conversations_memory"] != nil || e.members["project_memories"] != nil:
				err = claudeMemory(h, e)
			case e.members["docs"] != nil || e.members["prompt_template"] != nil:
				err = claudeProject(h, e)
			default:
				h.lost.leaveOut("entries without words")
			}
			if err != nil {
				return err
			}
			return r.part(h)
		})
	})
}

func claudeTalk(h *heap, e element) error {
	t := &taker{m: e.members}
	id, title := t.need("uuid"), t.text("name")
	if t.err != nil {
		return t.err
	}
	if account, ok := e.members["account"].(map[string]any); ok {
		h.lost.account(members(account).peek("uuid"))
	}
	for _, one := range asList(e.members["chat_messages"]) {
		m, ok := one.(map[string]any)
		if !ok {
			h.lost.bad("%s: a message must be an object", e.row)
			continue
		}
		text := ""
		if _, list := m["content"].([]any); list {
			text = h.textOf(m["content"])
		}
		if written, _ := m["text"].(string); text == "" {
			text = written
		}
		turn := said{
			row: e.row, alias: "claude-ai:" + cmp.Or(members(m).peek("uuid"), id+":"+digestOf(text)),
			speaker: members(m).peek("sender"), text: text, session: "claude-ai:" + id,
			when: members(m).peek("created_at"), ext: with(nil, "title", title),
		}
		for _, a := range asList(m["attachments"]) {
			a, ok := a.(map[string]any)
			if !ok {
				continue
			}
			name := members(a).peek("file_name")
			if words, _ := a["extracted_content"].(string); strings.TrimSpace(words) != "" {
				doc := turn
				doc.alias += ":" + digestOf(name, words)
				doc.text, doc.ext = words, with(with(nil, "title", title), "file", name)
				if err := h.say(doc); err != nil {
					return err
				}
				continue
			}
			h.lost.leaveOut("attachments")
		}
		for range asList(m["files"]) {
			h.lost.leaveOut("attachments")
		}
		if err := h.say(turn); err != nil {
			return err
		}
	}
	return nil
}

func claudeProject(h *heap, e element) error {
	t := &taker{m: e.members}
	id, name, made := t.need("uuid"), t.text("name"), t.text("created_at")
	describes, prompt := t.text("description"), t.text("prompt_template")
	if t.err != nil {
		return t.err
	}
	if by, ok := e.members["creator"].(map[string]any); ok {
		h.lost.account(members(by).peek("uuid"))
	}
	if e.members["is_starter_project"] == true {
		h.lost.leaveOut("projects that came with the program")
		return nil
	}
	note := func(what, kind, text string, ext map[string]any) {
		if text == "" {
			return
		}
		it := &item{row: e.row, alias: "claude-ai:project:" + id + ":" + what, ext: with(ext, "created_at", made)}
		it.meta = api.Meta{About: about(name), Tags: tags("project"), ValidFrom: since(made)}
		var err error
		if it.body, err = noteOf(kind, text); err == nil {
			err = h.add(it)
		}
		h.take(e.row, err)
	}
	note("instructions", "convention", prompt, nil)
	note("description", "observation", describes, nil)
	for _, one := range asList(e.members["docs"]) {
		doc, ok := one.(map[string]any)
		if !ok {
			continue
		}
		m := members(doc)
		file := m.peek("filename")
		if err := h.say(said{
			row: e.row, alias: "claude-ai:" + cmp.Or(m.peek("uuid"), id+":"+file), text: m.peek("content"),
			when: cmp.Or(m.peek("created_at"), made), session: "claude-ai:project:" + id, tags: []string{"document"},
			ext: with(with(nil, "file", file), "project", name),
		}); err != nil {
			return err
		}
	}
	return nil
}

// claudeMemory makes a note of each paragraph or point of what Claude remembers.
func claudeMemory(h *heap, e element) error {
	who := e.peek("account_uuid")
	h.lost.account(who)
	all := map[string]string{"": e.peek("conversations_memory")}
	order := []string{""}
	if projects, ok := e.members["project_memories"].(map[string]any); ok {
		for _, id := range sortedNames(projects) {
			text, _ := projects[id].(string)
			all[id], order = text, append(order, id)
		}
	}
	for _, project := range order {
		p := &leaf{path: "memories", text: clean(all[project])}
		under := ""
		for _, s := range p.statements() {
			if under = cmp.Or(heading(s.text), under); under == strings.Trim(s.text, "* \n") {
				continue // a headline by itself
			}
			s.section = cmp.Or(s.section, under)
			it := &item{row: e.row, alias: "claude-ai:memory:" + digestOf(who, project, s.section, s.text)}
			text := strings.TrimSpace(s.text)
			var err error
			if it.body, err = noteOf("observation", text); err == nil {
				it.meta = api.Meta{Tags: tags("memory"), About: about("user")}
				it.ext = with(with(with(nil, "section", s.section), "project", project), "account", who)
				err = h.add(it)
			}
			h.take(e.row, err)
		}
	}
	return nil
}

// heading is the bold words with which a paragraph begins, as a headline.
func heading(text string) string {
	if rest, ok := strings.CutPrefix(text, "**"); ok {
		head, _, _ := strings.Cut(rest, "**")
		return head
	}
	return ""
}
