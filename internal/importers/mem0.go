package importers

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// isMem0 reports whether a file is of mem0: {"results": […]}, {"memories": […]} or the list alone, each
// with its id and its words under memory; or its history, as JSON or as its database.
func isMem0(s *sight) bool {
	in := func(prefix string) bool {
		return s.has(prefix+"id") && s.any(prefix+"memory", prefix+"data", prefix+"text") && !s.any(prefix+"role")
	}
	return isMem0History(s) || in("results[].") || in("memories[].") || s.has("id", "memory") ||
		!s.listed && (s.list("results") || s.list("memories")) && !s.any("results[]", "memories[]")
}

func isMem0History(s *sight) bool {
	return s.has("memory_id", "event") && s.any("new_memory", "new_value", "old_memory", "previous_value") ||
		s.database("history", "id", "memory_id", "event")
}

// readMem0 reads memories, the relations beside them, and the history of memories.
func readMem0(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		s, err := f.look(r.ctx)
		if err != nil {
			return err
		}
		h := newHeap()
		if isMem0History(s) {
			err = mem0History(r, f, s, h)
		} else {
			var under []string
			if !s.listed && !s.has("id", "memory") {
				under = []string{"results", "memories", "relations"}
			}
			err = r.each(f, "memory", under, func(e element) error {
				if e.under != "relations" {
					return mem0One(h, e.row, e.members)
				}
				if _, ok := e.members["from"]; !ok {
					e.members["from"] = e.take("source")
				}
				return graph{heap: h, prefix: "mem0:"}.relation(e.row, e.members)
			})
		}
		if err != nil {
			return err
		}
		return r.part(h)
	})
}

// An edition is what a memory of mem0 was at one time.
type edition struct {
	row, old, now, at string
	gone              bool
	rest              members
}

// mem0History makes one memory of each that the history speaks of: its last words, what it said before
// as what it replaces, and if it was deleted, so.
func mem0History(r *reading, f *file, s *sight, h *heap) error {
	all, order := make(map[string][]edition), []string(nil)
	take := func(row string, m members) error {
		t := &taker{m: m}
		id := t.need("memory_id")
		e := edition{row: row, old: t.text("old_memory", "previous_value", "prev_value")}
		e.now = t.text("new_memory", "new_value")
		e.at = t.text("updated_at", "created_at", "timestamp")
		event := t.text("event")
		e.gone = m.is("is_deleted") || event == "DELETE"
		delete(m, "id")
		if e.rest = m; t.err != nil {
			return t.err
		}
		if all[id] == nil {
			order = append(order, id)
		}
		all[id] = append(all[id], e)
		return nil
	}
	var err error
	if s.tables != nil {
		err = r.rows(f, "history", &h.lost, take)
	} else {
		err = r.each(f, "event", nil, func(e element) error { return take(e.row, e.members) })
	}
	if err != nil {
		return err
	}
	for _, id := range order {
		list := all[id]
		slices.SortStableFunc(list, func(a, b edition) int {
			at, _ := stamp(a.at)
			bt, _ := stamp(b.at)
			return at.Time().Compare(bt.Time())
		})
		if err := mem0Editions(h, id, list); err != nil {
			return err
		}
	}
	return nil
}

func mem0Editions(h *heap, id string, list []edition) error {
	var words []edition
	for _, e := range list {
		if e.now != "" {
			words = append(words, e)
		}
	}
	if len(words) == 0 { // only its end is told
		e := list[len(list)-1]
		if e.now = e.old; e.now == "" {
			h.lost.leaveOut("deleted, its words are not told")
			return nil
		}
		words = append(words, e)
	}
	before := ""
	for i, e := range words {
		last := i == len(words)-1
		it := &item{row: e.row, alias: "mem0:" + id, supersedes: before}
		if !last {
			it.alias += "@" + digestOf(e.now)
		}
		if before != "" {
			it.from, it.via = []string{before}, memory.ViaRevision
		}
		var err error
		if it.body, err = noteOf("", e.now); err != nil {
			h.take(e.row, err)
			continue
		}
		it.meta.ValidFrom = since(e.at)
		if it.ext = e.rest.rest(); e.at != "" {
			it.ext["created_at"] = e.at
		}
		if last && list[len(list)-1].gone {
			it.gone = forgottenThere
		}
		before = it.alias
		h.take(e.row, h.add(it))
	}
	return nil
}

// mem0One makes a note of a memory.
func mem0One(h *heap, row string, m members) error {
	id, err := m.need("id")
	if err != nil {
		return err
	}
	text, err := m.need("memory", "data", "text")
	if err != nil {
		return err
	}
	it := &item{row: row, alias: "mem0:" + id}
	labels, err := m.texts("categories")
	if err != nil {
		return err
	}
	kind := ""
	if meta, ok := m["metadata"].(map[string]any); ok {
		for _, name := range []string{"type", "category"} {
			if s, ok := meta[name].(string); ok {
				labels = append(labels, s)
			}
		}
	}
	for _, label := range labels {
		if slices.Contains(memory.NoteTypes, label) {
			kind = label
		}
	}
	if it.body, err = noteOf(kind, text); err != nil {
		return err
	}
	it.meta.Tags = tags(labels...)
	for _, name := range []string{"user_id", "agent_id", "app_id"} {
		if who, ok := m[name].(string); ok {
			it.meta.About = about(append(it.meta.About, who)...)
		}
	}
	if run, ok := m["run_id"].(string); ok && run != "" {
		it.meta.Session = "mem0:" + clean(run)
	}
	it.meta.ValidFrom = since(m.peek("created_at"))
	if it.meta.Confidence, err = m.sure("confidence"); err != nil {
		return err
	}
	if end := since(m.peek("expiration_date")); end != "" {
		it.meta.ValidUntil = end
	}
	if m.is("is_deleted", "deleted") {
		it.gone = forgottenThere
	}
	it.ext = m.rest()
	return h.add(it)
}
