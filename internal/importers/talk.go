package importers

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/media"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A said is one turn of a conversation as a reader found it.
type said struct {
	row     string
	alias   string
	same    []string
	speaker string
	text    string
	when    string // in any form of time
	session string
	event   string // what it is, if not a turn
	tags    []string
	ext     map[string]any
}

// say makes raws of a turn: one, or several of a turn that is too long for one. One without words is none.
func (h *heap) say(t said) error {
	text := strings.TrimSpace(clean(t.text))
	if text == "" {
		return nil
	}
	at, ok := stamp(t.when)
	if !ok && strings.TrimSpace(t.when) != "" {
		t.ext = with(t.ext, "time", t.when)
	}
	if t.event == "" {
		t.event = turn
	}
	for i, part := range parts(text, memory.MaxRawText) {
		it := &item{row: t.row, alias: t.alias, same: t.same, ext: t.ext}
		if i > 0 {
			it.alias, it.same = fmt.Sprintf("%s#%d", t.alias, i+1), nil
		}
		it.body = &memory.Raw{
			Text: part, Source: imported, Event: t.event, Speaker: speaker(clean(t.speaker)), OccurredAt: at,
		}
		it.meta = api.Meta{Session: shorten.To(clean(t.session), memory.MaxNameBytes), Tags: tags(t.tags...)}
		if err := h.add(it); err != nil {
			return err
		}
	}
	return nil
}

// with adds a member to what a record keeps besides; nothing says nothing.
func with(ext map[string]any, name string, v any) map[string]any {
	if v = plain(v); v == nil {
		return ext
	}
	if ext == nil {
		ext = make(map[string]any)
	}
	ext[name] = v
	return ext
}

// parts divides a text into parts of at most so many bytes, where a line ends if one does.
func parts(text string, most int) []string {
	var out []string
	for len(text) > most {
		at := strings.LastIndexByte(text[:most], '\n') + 1
		if at < most/2 {
			for at = most; !utf8.RuneStart(text[at]); at-- {
			}
		}
		out, text = append(out, text[:at]), text[at:]
	}
	return append(out, text)
}

// textOf returns the words of a content in any of the forms of chats: a text, a list of texts and blocks, or an
// object with its text or its parts. What is no words is counted under a name.
func (h *heap) textOf(v any) string {
	switch v := v.(type) {
	case string:
		return media.Named(v)
	case []any:
		var all []string
		for _, one := range v {
			if s := strings.TrimSpace(h.textOf(one)); s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, "\n\n")
	case map[string]any:
		kind, _ := v["type"].(string)
		switch kind {
		case "", "text", "input_text", "output_text", "refusal":
			for _, name := range []string{"text", "value", "content", "parts", "refusal"} {
				if inner, ok := v[name]; ok {
					return h.textOf(inner)
				}
			}
		}
		if kind == "" {
			kind, _ = v["content_type"].(string)
		}
		switch {
		case strings.Contains(kind, "tool") || strings.Contains(kind, "function"):
			h.lost.leaveOut("calls of tools and what they returned")
		case strings.Contains(kind, "think") || strings.Contains(kind, "reason"):
			h.lost.leaveOut("thoughts of models")
		default:
			h.lost.leaveOut("pictures, sounds and files")
		}
	}
	return ""
}
