package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/memory"
)

// lineMembers are what every kind can say of itself in a line, beside the
// members of a draft.
var lineMembers = []string{
	"id", "kind", "text", "session", "tags", "about", "confidence", "valid_from", "valid_until", "trigger", "via", "from",
}

// rawMembers are what only a raw can say; speaker it shares with a note.
var rawMembers = []string{"event", "caption", "occurred_at"}

// draftMembers are what only the other kinds can say.
var draftMembers = []string{
	"type", "outcome", "outcome_type", "lessons", "repeat", "avoid", "valence", "arousal", "emotions", "reason",
	"alternatives", "name", "description", "priority", "intensity", "focus", "sentiment", "when", "steps",
	"failure_modes", "recovery",
}

// ownMembers are those that drafts have among the fields of one kind.
var ownMembers = func() (names []string) {
	shared := slices.Concat(lineMembers, rawMembers, draftMembers, []string{"speaker"})
	for _, k := range core.Drafted() {
		for _, f := range k.Form().Fields {
			if !slices.Contains(shared, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}()

// known holds the names of all of them; what is not in it is kept in ext.
var known = func() map[string]bool {
	m := map[string]bool{"speaker": true}
	for _, name := range slices.Concat(lineMembers, rawMembers, draftMembers, ownMembers) {
		m[name] = true
	}
	return m
}()

// A line is one record as it stands in the file.
type line struct {
	id        string
	from      []string // ids of this source, or aliases
	via       memory.Via
	body      memory.Body
	meta      api.Meta
	ext       []byte
	canonical []byte // the line in the one form of what it says
}

// written is the members that we know, as encoding/json reads them.
type written struct {
	ID         string   `json:"id"`
	Event      string   `json:"event"`
	Caption    string   `json:"caption"`
	OccurredAt string   `json:"occurred_at"`
	Via        string   `json:"via"`
	From       []string `json:"from"`
	api.Draft
	api.Meta
}

// parseLine reads one line strictly: two members of one name, bytes that are not
// UTF-8 and members that the kind does not have are errors.
func parseLine(raw []byte) (*line, error) {
	if len(strings.TrimSpace(string(raw))) == 0 {
		return nil, errors.New("is empty")
	}
	l := new(line)
	var err error
	if l.canonical, err = canon.Transform(raw); err != nil {
		if wrong := strict.Check(raw, nil); wrong != nil {
			err = wrong // it names the member
		}
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(l.canonical, &members); err != nil || members == nil {
		return nil, errors.New("must be an object: {\"text\": …}")
	}
	w, err := l.take(members)
	if err != nil {
		return nil, err
	}
	switch raw, given := members["id"]; {
	case !given || string(raw) == "null":
		w.ID = derivedID(l.canonical)
	case strings.TrimSpace(w.ID) == "":
		return nil, errors.New("id: is empty; leave it out to have it derived from the line")
	}
	l.id, l.via, l.meta = w.ID, memory.Via(w.Via), w.Meta
	for _, id := range w.From {
		if !slices.Contains(l.from, id) {
			l.from = append(l.from, id)
		}
	}
	if l.body, err = w.body(members); err != nil {
		return nil, err
	}
	return l, nil
}

// derivedID names a line by what it says, however its members are ordered and wherever
// it stands in the file: the same line again is the same record.
func derivedID(canonical []byte) string {
	const digits = 16
	sum := sha256.Sum256(canonical)
	return "sha256-" + hex.EncodeToString(sum[:digits])
}

// take decodes the members we know and puts the others in ext. Names are
// compared to the letter, which encoding/json does not do: "ID" is not ours.
func (l *line) take(members map[string]json.RawMessage) (*written, error) {
	ours, others := make(map[string]json.RawMessage), make(map[string]json.RawMessage)
	for name, m := range members {
		if lower := strings.ToLower(name); lower != name && known[lower] {
			return nil, fmt.Errorf("%s: unknown field; it is written %q", name, lower)
		}
		if known[name] {
			ours[name] = m
		} else {
			others[name] = m
		}
	}
	raw, err := json.Marshal(ours)
	if err != nil {
		return nil, err
	}
	w := new(written)
	if err := json.Unmarshal(raw, w); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
			return nil, fmt.Errorf("%s: must be %s, not %s", field, spoken(wrong.Type.String()), wrong.Value)
		}
		return nil, err
	}
	w.Fields = nil // in a line they are members themselves
	for _, name := range ownMembers {
		if m, given := members[name]; given {
			var says any
			if err := json.Unmarshal(m, &says); err != nil {
				return nil, err
			}
			if w.Fields == nil {
				w.Fields = make(map[string]any)
			}
			w.Fields[name] = says
		}
	}
	l.ext, err = extOf(others)
	return w, err
}

// spoken names a type of Go as the documentation does.
func spoken(goType string) string {
	switch goType {
	case "string":
		return "a string"
	case "[]string":
		return "a list of strings"
	default:
		return "a number"
	}
}

// body makes the body of the kind that w names, raw if it names none.
func (w *written) body(members map[string]json.RawMessage) (memory.Body, error) {
	if w.Kind != "" && w.Kind != string(memory.KindRaw) {
		if name := anyOf(members, rawMembers); name != "" {
			return nil, fmt.Errorf("%s: a %s has no such field", name, shorten.To(w.Kind, 40))
		}
		return engine.DraftBody(w.Draft)
	}
	if name := anyOf(members, slices.Concat(draftMembers, ownMembers)); name != "" {
		return nil, fmt.Errorf("%s: a raw has no such field", name)
	}
	b := &memory.Raw{Text: w.Text, Source: imported, Event: w.Event, Speaker: w.Speaker, Caption: w.Caption}
	at, err := parseTime("occurred_at", w.OccurredAt)
	b.OccurredAt = at
	return b, errors.Join(err, memory.Check(b))
}

func anyOf(members map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		if _, ok := members[name]; ok {
			return name
		}
	}
	return ""
}

// aliasPrefixes are the prefixes of the aliases that importers assign.
var aliasPrefixes = []string{"git:", "locomo:", "jsonl:"}

// alias returns the alias of the record with an id in a file.
func alias(source, id string) string { return "jsonl:" + source + ":" + id }

// sourceAlias returns the name of what id cites: a line before, a record of
// another import by its alias, or a line of an earlier import of this source.
func sourceAlias(source, id string, before bool) string {
	if !before {
		for _, prefix := range aliasPrefixes {
			if strings.HasPrefix(id, prefix) {
				return id
			}
		}
	}
	return alias(source, id)
}

// foreign returns the record of l; before says which ids are on lines before it.
func (l *line) foreign(source string, before func(id string) bool) api.Foreign {
	f := api.Foreign{Alias: []string{alias(source, l.id)}, Body: l.body, Meta: l.meta, Via: l.via, Ext: l.ext}
	for _, id := range l.from {
		f.From = append(f.From, sourceAlias(source, id, before(id)))
	}
	return f
}
