package importers

import (
	"cmp"
	"strings"
)

// isClaudeMem reports whether a file is of claude-mem: its database, or what it exports.
func isClaudeMem(s *sight) bool {
	return s.database("observations", "narrative", "title") && s.database("session_summaries") ||
		s.has("observations[].narrative") || s.has("summaries[].investigated") ||
		s.list("observations") && s.list("summaries") && s.list("prompts")
}

// readClaudeMem reads observations and summaries of sessions as notes, and what people asked as raws.
func readClaudeMem(r *reading, files []*file) error {
	return r.sessions(files, map[string]string{
		"observations": "observation", "session_summaries": "summary", "summaries": "summary", "user_prompts": "prompt",
		"prompts": "prompt",
	}, func(h *heap, what string, row string, m members) error {
		t := &taker{m: m}
		session := t.text("memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id", "session_id")
		made := cmp.Or(t.text("created_at"), m.peek("created_at_epoch"))
		id := "claude-mem:" + session + ":" + what + ":" + t.text("id")
		project := t.text("project")
		if what == "prompt" {
			text := t.need("prompt_text", "prompt", "text")
			if t.err != nil {
				return t.err
			}
			return h.say(said{
				row: row, alias: id, speaker: "user", text: text, when: made, session: "claude-mem:" + session,
				event: "user_prompt",
			})
		}
		k := kept{row: row, alias: id, made: made, session: "claude-mem:" + session, about: []string{project}}
		if what == "summary" {
			for _, part := range []string{"request", "investigated", "learned", "completed", "next_steps", "notes"} {
				if words := t.text(part); words != "" {
					k.text = joined(k.text, strings.ToUpper(part[:1])+strings.ReplaceAll(part[1:], "_", " ")+": "+words)
				}
			}
			k.tags = []string{"summary"}
		} else {
			k.kind = t.text("type")
			k.text = joined(t.text("title"), t.text("subtitle"), t.text("narrative", "text"), points("", t.texts("facts")))
			k.tags = append(t.texts("concepts"), k.kind)
		}
		delete(m, "created_at_epoch")
		if k.rest = m; t.err != nil {
			return t.err
		}
		return h.keep(k)
	})
}

// isEngram reports whether a file is of engram: its database, or what it exports.
func isEngram(s *sight) bool {
	return s.database("observations", "title", "content", "session_id") ||
		s.has("observations[].content", "observations[].session_id") ||
		s.has("version", "exported_at") && s.list("observations")
}

// readEngram reads observations as notes, those that were deleted as such, and what people asked as raws.
func readEngram(r *reading, files []*file) error {
	return r.sessions(files, map[string]string{
		"observations": "observation", "user_prompts": "prompt", "prompts": "prompt", "sessions": "session",
	}, func(h *heap, what string, row string, m members) error {
		t := &taker{m: m}
		session, made, project := t.text("session_id"), t.text("created_at", "started_at"), t.text("project")
		id := t.text("sync_id")
		if what == "session" {
			session = t.text("id")
			id = "session:" + session
		}
		if id = cmp.Or(id, session+":"+what+":"+t.text("id")); t.err != nil {
			return t.err
		}
		switch what {
		case "prompt":
			text := t.need("content")
			if t.err != nil {
				return t.err
			}
			return h.say(said{
				row: row, alias: "engram:" + id, speaker: "user", text: text, when: made, session: "engram:" + session,
				event: "user_prompt",
			})
		case "session":
			text := t.text("summary")
			if text == "" {
				return nil
			}
			return h.keep(kept{
				row: row, alias: "engram:" + id, text: text, made: made, session: "engram:" + session,
				about: []string{project}, tags: []string{"summary"}, rest: m,
			})
		}
		k := kept{row: row, alias: "engram:" + id, made: made, session: "engram:" + session, about: []string{project}}
		k.kind = t.text("type")
		k.text = joined(t.text("title"), t.text("content"))
		k.tags = []string{k.kind, t.text("topic_key")}
		if at := t.text("deleted_at"); at != "" {
			k.gone = forgottenThere + ", " + cmp.Or(since(at), at)
		}
		k.rest = m
		return errorOf(func() error { return h.keep(k) }, t.err)
	})
}

// sessions reads the tables of a database, or the lists of its export, that some names stand for.
func (r *reading) sessions(
	files []*file, kinds map[string]string, one func(h *heap, what, row string, m members) error,
) error {
	return r.eachFile(files, func(f *file) error {
		h := newHeap()
		names := sortedNames(kinds)
		if f.seen.tables != nil {
			for _, table := range names {
				if !f.seen.tables.Has(table) {
					continue
				}
				if err := r.rows(f, table, &h.lost, func(row string, m members) error {
					return one(h, kinds[table], row, m)
				}); err != nil {
					return err
				}
			}
			return r.part(h)
		}
		if err := r.each(f, "entry", names, func(e element) error {
			return one(h, kinds[e.under], e.row, e.members)
		}); err != nil {
			return err
		}
		return r.part(h)
	})
}
