package gone

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/memory"
)

// bare are members of a header in which no words stand: keys, ids and times. The space and the agent are looked at
// apart.
var bare = []string{
	"v", "kind", "space", "author", "delegation", "origin", "at", "confidence", "nonce", "recalled", "valid_from",
	"valid_until", "agent", "platform",
}

// A said is the words of a record, wherever they stand in it: of kinds too that this version does not know.
type said struct {
	texts   []string // the body, tags, aliases, sessions, evidence and all other members
	body    []string // those of the body
	speaker []string
	by      string // the name and the place of the agent that wrote it
}

// words returns all texts as one; what stands in two of them makes no run of words.
func (s *said) words() string { return strings.Join(s.texts, "\n\x00\n") }

// longest returns the longest text of the body: what was said, without who said it.
func (s *said) longest() (text string) {
	for _, one := range s.body {
		if len(one) > len(text) {
			text = one
		}
	}
	return text
}

// repeats reports whether the body has a probe: what stands around it, such as the file of an import, is alike in many.
func (s *said) repeats(search *probes.Search) bool {
	return slices.ContainsFunc(s.body, search.Holds)
}

// saidBy reads the words of a record from its signed bytes.
func saidBy(r *memory.Record) said {
	out := said{by: r.Header.Agent + "\n" + r.Header.Platform}
	var top map[string]any
	d := json.NewDecoder(bytes.NewReader(r.Bytes))
	d.UseNumber()
	if d.Decode(&top) != nil {
		out.texts = []string{string(r.Bytes)}
		return out
	}
	for _, name := range bare {
		delete(top, name)
	}
	out.take("body", top["body"])
	out.body = slices.Clip(out.texts)
	delete(top, "body")
	for name, member := range top {
		out.take(name, member)
	}
	return out
}

func (s *said) take(name string, member any) {
	switch m := member.(type) {
	case string:
		switch {
		case name == "speaker":
			s.speaker = append(s.speaker, m)
		case name == "base64":
			if raw, err := base64.StdEncoding.DecodeString(m); err == nil {
				s.texts = append(s.texts, string(raw))
			}
			return
		case isRef(m), name == "run" && isRun(m):
			return
		}
		s.texts = append(s.texts, m)
	case []any:
		for _, one := range m {
			s.take(name, one)
		}
	case map[string]any:
		for inner, one := range m {
			if len(inner) > 0 && name == "ext" { // whose names are a stranger's
				s.texts = append(s.texts, inner)
			}
			s.take(inner, one)
		}
	}
}

// isRef reports whether a text is the ref of a record.
func isRef(text string) bool {
	kind, id, ok := strings.Cut(text, ":")
	return ok && len(id) == 64 && memory.Kind(kind).Known() && strings.Trim(id, "0123456789abcdef") == ""
}

// isRun reports whether a text names a run as stemma makes them: an operation and random characters. A job that made a
// memory is kept by that name.
func isRun(text string) bool {
	const random = 22
	operation, id, ok := strings.Cut(text, "/")
	return ok && len(id) == random && strings.Trim(operation, "abcdefghijklmnopqrstuvwxyz_") == "" &&
		strings.IndexFunc(id, func(r rune) bool {
			return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) < 0
}
