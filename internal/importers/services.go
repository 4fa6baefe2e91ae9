package importers

import (
	"cmp"
	"strings"
)

// isHindsight reports whether a file is of Hindsight: facts that it lists or recalls.
func isHindsight(s *sight) bool {
	in := func(under string) bool {
		return s.has(under+"id", under+"text") && s.any(under+"fact_type", under+"mentioned_at", under+"occurred_start")
	}
	return in("") || in("items[].") || in("results[].") || in("memory_units[].") || in("memories[].")
}

// readHindsight reads facts: what they say, when it happened and when it was told.
func readHindsight(r *reading, files []*file) error {
	return r.listed(files, []string{"items", "results", "memory_units", "memories"}, func(h *heap, e element) error {
		t := &taker{m: e.members}
		k := kept{row: e.row, alias: "hindsight:" + t.need("id"), text: t.need("text")}
		kind := t.text("fact_type", "type")
		k.made = t.text("mentioned_at", "created_at", "date", "event_date")
		k.since = e.peek("occurred_start")
		if e.peek("occurred_end") == k.since {
			delete(e.members, "occurred_end")
		}
		switch v := e.take("entities").(type) {
		case string:
			for name := range strings.SplitSeq(v, ",") {
				k.about = append(k.about, name)
			}
		case []any:
			for _, one := range v {
				if m, ok := one.(map[string]any); ok {
					k.about = append(k.about, cmp.Or(members(m).peek("canonical_name"), members(m).peek("name")))
				} else {
					k.about = append(k.about, spokenOf(one))
				}
			}
		}
		if document := e.peek("document_id"); document != "" {
			k.session = "hindsight:" + document
		}
		k.tags = append(t.texts("tags"), kind)
		k.confidence = e.take("confidence_score", "confidence")
		for _, id := range t.texts("source_fact_ids") {
			k.from = append(k.from, "hindsight:"+id)
		}
		delete(e.members, "embedding")
		k.rest = e.members
		return errorOf(func() error { return h.keep(k) }, t.err)
	})
}

// isSupermemory reports whether a file is of supermemory: documents, with or without the memories made of them.
func isSupermemory(s *sight) bool {
	in := func(under string) bool {
		return s.has(under+"id") && s.any(under+"content", under+"memory", under+"title", under+"summary") &&
			s.any(under+"containerTags", under+"memoryEntries", under+"isForgotten", under+"spaceContainerTag", under+"customId")
	}
	return in("") || in("memories[].") || in("documents[].") || in("results[].") || in("memoryEntries[].")
}

// readSupermemory reads documents as words and what was made of them as notes, with what was forgotten.
func readSupermemory(r *reading, files []*file) error {
	lists := []string{"memories", "documents", "results", "memoryEntries"}
	return r.listed(files, lists, func(h *heap, e element) error {
		entries := asList(e.take("memoryEntries"))
		if e.members["isForgotten"] != nil || e.members["memory"] != nil {
			return supermemoryEntry(h, e.row, e.members, "")
		}
		t := &taker{m: e.members}
		id, made := t.need("id"), t.text("createdAt", "created_at")
		title, text := t.text("title"), t.text("content")
		if text == "" {
			text = t.text("summary")
		}
		if t.err != nil {
			return t.err
		}
		alias := "supermemory:" + id
		turn := said{
			row: e.row, alias: alias, text: text, when: made, tags: append(t.texts("containerTags"), "document"),
			session: alias, ext: with(with(nil, "title", title), "url", e.peek("url")),
		}
		turn.ext = with(with(turn.ext, "metadata", e.members["metadata"]), "updated_at", e.peek("updatedAt"))
		if err := h.say(turn); err != nil {
			return err
		}
		if h.at[alias] == nil {
			if len(entries) == 0 {
				h.lost.leaveOut("documents without words")
			}
			alias = ""
		}
		for _, one := range entries {
			if m, ok := one.(map[string]any); ok {
				h.take(e.row, supermemoryEntry(h, e.row, m, alias))
			}
		}
		return nil
	})
}

func supermemoryEntry(h *heap, row string, m members, document string) error {
	t := &taker{m: m}
	k := kept{row: row, alias: "supermemory:" + t.need("id"), text: t.text("memory", "content")}
	k.made, k.until = t.text("createdAt", "created_at"), t.text("forgetAfter")
	if document != "" {
		k.from = []string{document}
	}
	if parent := t.text("parentMemoryId"); parent != "" {
		k.supersedes = "supermemory:" + parent
		k.from = append(k.from, k.supersedes)
	}
	if m.is("isForgotten") {
		k.gone = forgottenThere
		if why := t.text("forgetReason"); why != "" {
			k.gone += ": " + why
		}
	}
	k.tags = []string{t.text("spaceContainerTag")}
	delete(m, "memoryEmbedding")
	k.rest = m
	return errorOf(func() error { return h.keep(k) }, t.err)
}

// listed reads the entries of files: those of lists under some names, or of the list that the file is.
func (r *reading) listed(files []*file, names []string, one func(h *heap, e element) error) error {
	return r.eachFile(files, func(f *file) error {
		h := newHeap()
		under := names
		if f.seen.listed || !f.seen.any(names...) {
			under = nil
		}
		if err := r.each(f, "entry", under, func(e element) error { return one(h, e) }); err != nil {
			return err
		}
		return r.part(h)
	})
}
