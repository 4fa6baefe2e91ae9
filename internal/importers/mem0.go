package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

// Mem0 reads what mem0 gives of its memories: {"results": […]}, {"memories": […]},
// or the list alone, each with its id and its words under memory. Relations beside
// them become notes too.
func Mem0(ctx context.Context, data []byte, held held) (*Found, error) {
	list, relations, err := mem0Lists(data)
	if err != nil {
		return nil, err
	}
	h := newHeap()
	for i, raw := range list {
		row := fmt.Sprintf("memory %d", i+1)
		if err := mem0One(h, row, raw); err != nil {
			return nil, rowed(row, err)
		}
	}
	for i, raw := range relations {
		row := fmt.Sprintf("relation %d", i+1)
		m, err := parseObject(raw)
		if err == nil {
			if _, ok := m["from"]; !ok {
				m["from"] = m.take("source")
			}
			err = relation(h, row, "mem0:", m)
		}
		if err != nil {
			return nil, rowed(row, err)
		}
	}
	return h.found(ctx, held)
}

// rowed names the row that an error is about, once.
func rowed(row string, err error) error {
	return api.Invalid("%s: %s", row, unrowed(row, err))
}

// mem0Lists finds the memories and the relations.
func mem0Lists(data []byte) (list, relations []json.RawMessage, err error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, nil, atOffset(data, err)
		}
		return list, nil, strictly(data)
	}
	var file struct {
		Results   []json.RawMessage `json:"results"`
		Memories  []json.RawMessage `json:"memories"`
		Relations []json.RawMessage `json:"relations"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, nil, atOffset(data, err)
	}
	if err := strictly(data); err != nil {
		return nil, nil, err
	}
	if file.Results == nil && file.Memories == nil {
		return nil, nil, api.Invalid("there is neither a list results nor a list memories in it")
	}
	return slices.Concat(file.Results, file.Memories), file.Relations, nil
}

// strictly refuses what was decoded of a file if a part of it was lost on the way.
func strictly(data []byte) error {
	if err := strict.Valid(data, nil); err != nil {
		return api.Invalid("%v", err)
	}
	return nil
}

// atOffset names the line at which JSON goes wrong.
func atOffset(data []byte, err error) error {
	at := int64(-1)
	switch e := err.(type) {
	case *json.SyntaxError:
		at = e.Offset
	case *json.UnmarshalTypeError:
		at = e.Offset
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		at = int64(len(data))
	}
	if at < 0 || at > int64(len(data)) {
		return api.Invalid("%v", err)
	}
	return api.Invalid("line %d: %v", 1+bytes.Count(data[:at], []byte("\n")), err)
}

func mem0One(h *heap, row string, raw json.RawMessage) error {
	m, err := parseObject(raw)
	if err != nil {
		return err
	}
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
	it.ext = m.rest()
	return h.add(it)
}
