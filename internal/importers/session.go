package importers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// sessionTime is how LoCoMo writes when a session took place. It names no zone;
// it is taken as UTC.
const sessionTime = "3:04 pm on 2 January, 2006"

// wordless replaces the words of a turn that is only a picture.
const wordless = "(a picture)"

// A session is one meeting of a conversation.
type session struct {
	of    *sample
	n     int
	cited *citations
	all   []string // aliases of its turns
	begin time.Time
}

// sessionNumber returns the N of a member called session_N.
func sessionNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "session_")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && strconv.Itoa(n) == digits
}

func (s *session) key() string   { return fmt.Sprintf("session_%d", s.n) }
func (s *session) alias() string { return "locomo:" + s.of.name + ":" + s.key() }

// read decodes a member of the session; one that is not there leaves into alone.
func (s *session) read(suffix string, into any) error {
	raw, ok := s.of.members[s.key()+suffix]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s%s: %w", s.key(), suffix, err)
	}
	return nil
}

// turns makes the raws of what was said. A turn happened at the time of its
// session, later by a second for each turn before it: no one wrote down when, but
// in which order.
func (s *session) turns() ([]api.Foreign, error) {
	var said []map[string]json.RawMessage
	var when string
	if err := s.read("", &said); err != nil {
		return nil, err
	}
	if err := s.read("_date_time", &when); err != nil {
		return nil, err
	}
	var begin time.Time
	if when = strings.TrimSpace(when); when != "" {
		var err error
		if begin, err = time.Parse(sessionTime, when); err != nil {
			return nil, fmt.Errorf("%s_date_time: a time is written %q, got %q", s.key(), sessionTime, shorten.To(when, 40))
		}
	}
	s.begin = begin
	var out []api.Foreign
	for i, members := range said {
		at := begin
		if !at.IsZero() {
			at = at.Add(time.Duration(i) * time.Second)
		}
		f, err := s.turn(i+1, members, at)
		if err != nil {
			return nil, fmt.Errorf("%s, turn %d: %w", s.key(), i+1, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// turn makes the raw of one turn. Members that a raw has no place for, such as
// the address of a picture, go along in ext.
func (s *session) turn(number int, members map[string]json.RawMessage, at time.Time) (api.Foreign, error) {
	var id, who, text, caption string
	for _, m := range []struct {
		name string
		into *string
	}{{"dia_id", &id}, {"speaker", &who}, {"text", &text}, {"blip_caption", &caption}} {
		if raw, ok := members[m.name]; ok {
			if err := json.Unmarshal(raw, m.into); err != nil {
				return api.Foreign{}, fmt.Errorf("%s: must be a string", m.name)
			}
			delete(members, m.name)
		}
	}
	if id == "" {
		id = place{s.n, number}.String()
	}
	if strings.TrimSpace(text) == "" {
		text = wordless
	}
	ext, err := extOf(members)
	if err != nil {
		return api.Foreign{}, err
	}
	alias := "locomo:" + s.of.name + ":" + id
	if err := s.cited.add(id, alias); err != nil {
		return api.Foreign{}, err
	}
	s.all = append(s.all, alias)
	return api.Foreign{
		Alias: []string{alias},
		Body: &memory.Raw{
			Text: text, Source: imported, Event: turn, Speaker: speaker(who),
			Caption: strings.TrimSpace(caption), OccurredAt: memory.At(at),
		},
		Meta: api.Meta{Session: s.alias()},
		Ext:  ext,
	}, nil
}

// notes makes the notes of the session's observations and of its summary.
func (s *session) notes() ([]api.Foreign, error) {
	var seen map[string][]observation
	if err := s.read("_observation", &seen); err != nil {
		return nil, err
	}
	var speakers []string
	for who := range seen {
		speakers = append(speakers, who)
	}
	slices.Sort(speakers)
	var out []api.Foreign
	for _, who := range speakers {
		for i, o := range seen[who] {
			if strings.TrimSpace(o.text) == "" {
				continue
			}
			from, missing := s.cited.find(o.cites)
			alias := fmt.Sprintf("%s:observation:%s:%d", s.alias(), who, i+1)
			f, err := s.note(alias, who, o.text, "observation", from, missing)
			if err != nil {
				return nil, fmt.Errorf("%s_observation, %s, %d: %w", s.key(), who, i+1, err)
			}
			out = append(out, f)
		}
	}
	var summary string
	if err := s.read("_summary", &summary); err != nil {
		return nil, err
	}
	if strings.TrimSpace(summary) == "" {
		return out, nil
	}
	all := s.all[:min(len(s.all), memory.MaxSources)]
	f, err := s.note(s.alias()+":summary", "", summary, "summary", all, nil)
	if err != nil {
		return nil, fmt.Errorf("%s_summary: %w", s.key(), err)
	}
	return append(out, f), nil
}

// note makes one note, inferred from the turns it cites. One that cites none
// was still made elsewhere, and no one knows from what.
func (s *session) note(alias, who, text, tag string, from, missing []string) (api.Foreign, error) {
	who = speaker(who)
	body, err := engine.DraftBody(api.Draft{Kind: string(memory.KindNote), Type: "observation", Text: text, Speaker: who})
	if err != nil {
		return api.Foreign{}, err
	}
	f := api.Foreign{
		Alias: []string{alias},
		Body:  body,
		Meta:  api.Meta{Session: s.alias(), Tags: []string{tag}},
		From:  from, Via: memory.ViaInference,
	}
	if who != "" {
		f.Meta.About = []string{who}
	}
	if len(from) == 0 {
		f.Via = memory.ViaImport
	}
	ext := make(map[string]any)
	if len(missing) > 0 {
		ext["cites"] = missing
	}
	if !s.begin.IsZero() {
		ext["created_at"] = memory.At(s.begin).String()
	}
	if len(ext) > 0 {
		f.Ext, err = canon.Marshal(ext)
	}
	return f, err
}

// extOf puts what is left of an object in the form in which a record keeps it.
func extOf(members map[string]json.RawMessage) ([]byte, error) {
	if len(members) == 0 {
		return nil, nil
	}
	return canon.Marshal(members)
}
