package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// An alexandria is one reading of an Alexandria memory.
type alexandria struct{ *heap }

// AlexandriaExport reads the JSON of alex export, {"version": …, "objects": […]},
// or the list that alex list --json prints. An export has no ids; what it says and
// when stands for one then.
func AlexandriaExport(ctx context.Context, data []byte, held held) (*Found, error) {
	var list []json.RawMessage
	var err error
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		err = json.Unmarshal(data, &list)
	} else {
		var file struct {
			Objects []json.RawMessage `json:"objects"`
		}
		if err = json.Unmarshal(data, &file); err == nil && file.Objects == nil {
			return nil, api.Invalid(`the list "objects" is missing`)
		}
		list = file.Objects
	}
	if err != nil {
		return nil, atOffset(data, err)
	}
	if err := strictly(data); err != nil {
		return nil, err
	}
	a := alexandria{newHeap()}
	for i, raw := range list {
		row := fmt.Sprintf("object %d", i+1)
		m, err := parseObject(raw)
		if err == nil {
			err = a.object(row, m)
		}
		if err != nil {
			return nil, rowed(row, err)
		}
	}
	return a.found(ctx, held)
}

// isAlexandria reports whether a database is Alexandria's.
func isAlexandria(f *sqlstore.Foreign) bool {
	return f.Has("memory_objects", "id", "content", "object_type")
}

// alexandriaTables reads Alexandria's database: its events, and what was made of them.
func alexandriaTables(ctx context.Context, f *sqlstore.Foreign, held held) (*Found, error) {
	a := alexandria{newHeap()}
	blobs := make(map[string]any)
	for m, err := range f.Rows(ctx, "blobs") {
		if err != nil {
			return nil, api.Invalid("%v", err)
		}
		if id, ok := m["id"].(string); ok {
			blobs[id] = m["content"]
		}
	}
	for _, table := range []struct {
		name string
		one  func(row string, m members) error
	}{
		{"events", func(row string, m members) error {
			if id, ok := m["blob_id"].(string); ok && m["content"] == nil {
				m["content"] = blobs[id]
			}
			return a.event(row, m)
		}},
		{"memory_objects", a.object},
	} {
		n := 0
		for m, err := range f.Rows(ctx, table.name) {
			if n++; err != nil {
				return nil, api.Invalid("%v", err)
			}
			row := fmt.Sprintf("%s, row %d", table.name, n)
			if err := table.one(row, m); err != nil {
				return nil, rowed(row, err)
			}
		}
	}
	return a.found(ctx, held)
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
