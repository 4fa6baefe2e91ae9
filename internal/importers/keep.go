package importers

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A kept is one memory of another program as a reader found it.
type kept struct {
	row        string
	alias      string
	same       []string
	kind       string // of a note; an observation if it is none of ours
	text       string
	made       string // when it was said or written
	since      string // from when it holds, if not from when it was made
	until      string
	session    string
	about      []string
	tags       []string
	from       []string
	supersedes string
	gone       string
	confidence any
	rest       members // what else was told
}

// keep makes a note of a memory. One without words is an error.
func (h *heap) keep(k kept) error {
	text := strings.TrimSpace(clean(k.text))
	if text == "" {
		return errString("its words are missing")
	}
	it := &item{row: k.row, alias: k.alias, same: k.same, gone: k.gone, supersedes: k.supersedes, from: k.from}
	if len(k.from) > 0 {
		it.via = memory.ViaInference
	}
	it.ext = k.rest.rest()
	if k.made != "" {
		it.ext["created_at"] = k.made
	}
	it.meta = api.Meta{
		Session: clean(k.session), About: about(k.about...), Tags: tags(k.tags...), ValidUntil: since(k.until),
	}
	if it.meta.ValidFrom = since(k.since); k.since == "" {
		it.meta.ValidFrom = since(k.made)
	}
	if it.meta.ValidUntil != "" && it.meta.ValidFrom > it.meta.ValidUntil {
		it.meta.ValidFrom = "" // it was told after it ended
	}
	var err error
	if it.meta.Confidence, err = sure(k.confidence); err != nil {
		it.ext["confidence"] = plain(k.confidence)
	}
	if len(text) >= memory.MaxText {
		at, _ := stamp(k.made)
		it.body = &memory.Raw{Text: text[:min(len(text), memory.MaxRawText)], Source: imported, OccurredAt: at}
		if len(text) > memory.MaxRawText {
			h.lost.leaveOut("too long")
			return nil
		}
		it.from, it.via, it.supersedes = nil, "", ""
		return h.add(it)
	}
	kind := strings.ToLower(k.kind)
	if known := kindOfNote[kind]; known != "" {
		kind = known
	}
	if it.body, err = noteOf(kind, text); err != nil {
		return err
	}
	return h.add(it)
}

// kindOfNote says which of our types is meant by a word of another program.
var kindOfNote = map[string]string{
	"bugfix": "known_fix", "fix": "known_fix", "bug": "known_fix", "solution": "known_fix", "gotcha": "known_fix",
	"discovery": "insight", "learning": "insight", "lesson": "insight", "architecture": "decision", "design": "decision",
	"pattern": "convention", "feedback": "preference", "config": "environment", "configuration": "environment",
	"preferences": "preference", "instructions": "preference", "instruction": "preference", "rule": "constraint",
}

// joined returns the parts of a text that say something, each by itself.
func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n")
}

// points writes a list as points; nothing of no list.
func points(head string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return head + "- " + strings.Join(list, "\n- ")
}
