package importers

import (
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// An alexandria is one reading of an Alexandria memory.
type alexandria struct{ *heap }

// isAlexandria reports whether a file is Alexandria's: its database, what alex export writes, or the
// list that alex list --json prints.
func isAlexandria(s *sight) bool {
	return s.database("memory_objects", "id", "content", "object_type") || s.list("objects") && !s.listed ||
		s.has("objectType", "content")
}

// readAlexandria reads Alexandria's objects, and in a database its events. An export has no ids;
// what it says and when stands for one then.
func readAlexandria(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		s, err := f.look(r.ctx)
		if err != nil {
			return err
		}
		a := alexandria{newHeap()}
		if s.tables != nil {
			err = a.tables(r, f)
		} else {
			var under []string
			if !s.listed {
				under = []string{"objects"}
			}
			err = r.each(f, "object", under, func(e element) error { return a.object(e.row, e.members) })
		}
		if err != nil {
			return err
		}
		return r.part(a.heap)
	})
}

// tables reads Alexandria's database: its events, and what was made of them.
func (a alexandria) tables(r *reading, f *file) error {
	blobs := make(map[string]any)
	if err := r.rows(f, "blobs", &a.lost, func(_ string, m members) error {
		if id, ok := m["id"].(string); ok {
			blobs[id] = m["content"]
		}
		return nil
	}); err != nil {
		return err
	}
	if err := r.rows(f, "events", &a.lost, func(row string, m members) error {
		if id, ok := m["blob_id"].(string); ok && m["content"] == nil {
			m["content"] = blobs[id]
		}
		return a.event(row, m)
	}); err != nil {
		return err
	}
	return r.rows(f, "memory_objects", &a.lost, a.object)
}

// event makes a raw of what happened.
func (a alexandria) event(row string, m members) error {
	t := &taker{m: m}
	id, text := t.need("id"), ""
	if text = t.text("content"); text == "" && t.err == nil {
		a.lost.leaveOut("events without words")
		return nil
	}
	if len(text) > memory.MaxRawText {
		a.lost.leaveOut("too long")
		a.lost.say("%s: its words are too long for a record", row)
		return nil
	}
	body := &memory.Raw{Text: text, Source: imported, Event: t.text("event_type")}
	if !slices.Contains(memory.RawEvents, body.Event) {
		m["event_type"], body.Event = body.Event, ""
	}
	made := t.text("timestamp")
	body.OccurredAt, _ = stamp(made)
	m.unread("timestamp", made)
	it := &item{row: row, alias: "alexandria:event:" + id, body: body}
	if session := t.text("session_id"); session != "" {
		it.meta.Session = "alexandria:" + session
	}
	it.ext = m.rest()
	return errors.Join(t.err, a.add(it))
}

// object makes a note of a memory object. What it says of code and of its review is
// kept and counts for nothing.
func (a alexandria) object(row string, m members) error {
	t := &taker{m: m}
	text, kind, id := t.need("content"), t.need("objectType", "object_type"), t.text("id")
	made, status, review := t.text("createdAt", "created_at"), t.text("status"), t.text("reviewStatus", "review_status")
	if t.err != nil {
		return t.err
	}
	if id == "" {
		id = digestOf(text, kind, made)
	}
	switch {
	case review == "rejected", status == "retired":
		a.lost.leaveOut(map[bool]string{true: "rejected", false: "retired"}[review == "rejected"])
		return nil
	case len(text) >= memory.MaxText:
		a.lost.leaveOut("too long")
		a.lost.say("%s: its words are too long for a record", row)
		return nil
	}
	it := &item{row: row, alias: "alexandria:" + id, via: memory.ViaInference}
	var err error
	if it.body, err = noteOf(kind, text); err != nil {
		return err
	}
	it.meta.ValidFrom = since(made)
	if it.meta.Confidence, err = m.sure("confidence"); err != nil {
		return err
	}
	for _, event := range t.texts("evidenceEventIds", "evidence_event_ids") {
		it.from = append(it.from, "alexandria:event:"+event)
	}
	for _, old := range t.texts("supersedes") {
		if it.supersedes == "" {
			it.supersedes = "alexandria:" + old
		}
		it.from = append(it.from, "alexandria:"+old)
	}
	var labels []string
	if status != "" && status != "active" {
		labels = append(labels, status)
	}
	it.meta.Tags = tags(labels...)
	if scope := t.scope(); scope != "" {
		it.meta.About = about(scope)
	}
	it.ext = m.rest()
	for name, v := range map[string]string{"createdAt": made, "reviewStatus": review, "status": status} {
		if v != "" {
			it.ext[name] = v
		}
	}
	return errors.Join(t.err, a.add(it))
}

// scope returns the path that an object is about, and leaves what it says in place.
func (t *taker) scope() string {
	if path, ok := t.m["scope_path"].(string); ok {
		return path
	}
	scope, _ := t.m["scope"].(map[string]any)
	path, _ := scope["path"].(string)
	return path
}
