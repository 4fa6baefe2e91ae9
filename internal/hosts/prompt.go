package hosts

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ownwords"
)

// said names words so that the same are known in the host's own file of the
// conversation. They are clean: a digest of a secret would give it away to
// whoever guesses it.
func (e *Event) said(what, words string) string { return saying(e.Host, e.Session, what, words) }

// prompt is what a host hands over as a prompt, in its pieces.
func (e *Event) prompt() []string {
	if s := e.fields.text("prompt", "text", "message"); s != "" {
		return []string{s}
	}
	var parts []fields
	if json.Unmarshal(e.fields["parts"], &parts) != nil {
		return nil
	}
	var out []string
	for _, p := range parts {
		if _, not := ownwords.Marked(e.Host, p); !not && p.text("text") != "" {
			out = append(out, p.text("text"))
		}
	}
	return out
}

// A spoken is a piece of a prompt, by one voice.
type spoken struct {
	text, event, speaker string
	what                 string // as its saying is named
	part                 string // of the name of the happening
	tags                 []string
}

// spokenIn takes a prompt apart: what the person said, and what others say in their name. Marked is what a
// host says of all of it.
func spokenIn(host string, marked ownwords.Voice, pieces []string) []spoken {
	own, parts := "", []ownwords.Part(nil)
	if marked == ownwords.Person {
		own, parts = ownwords.Split(host, pieces...)
	} else {
		parts = []ownwords.Part{{By: marked, Text: strings.Join(pieces, "\n")}}
	}
	var out []spoken
	if strings.TrimSpace(own) != "" {
		out = append(out, spoken{text: own, event: "user_prompt", speaker: "user", what: "prompt"})
	}
	texts := map[ownwords.Voice][]string{}
	for _, p := range parts {
		if !p.Drop {
			texts[p.By] = append(texts[p.By], p.Text)
		}
	}
	for _, by := range []ownwords.Voice{ownwords.Agent, ownwords.Host} {
		if len(texts[by]) == 0 {
			continue
		}
		s := spoken{event: "turn", speaker: ownwords.Speaker, what: "host", part: "/host"}
		s.text = strings.Join(texts[by], "\n")
		if by == ownwords.Agent { // who gives a task or a message to another
			s.speaker, s.tags, s.what, s.part = "assistant", []string{subAgentTag}, "agent", "/agent"
		}
		if len(out) == 0 { // all of the prompt: it has the name that it always had
			s.what, s.part = "prompt", ""
		}
		out = append(out, s)
	}
	return out
}

// prompted tells of a prompt.
func (e *Event) prompted(add func(string, engine.Observed)) {
	marked, _ := ownwords.Marked(e.Host, e.fields)
	pieces := e.prompt()
	if marked == ownwords.Person {
		bases := []string{cmp.Or(e.Judge.Dir, e.Dir), e.Judge.Home}
		for i, piece := range pieces {
			own, _ := ownwords.Split(e.Host, piece)
			if typed, is := asTyped(e.Host, bases, own); is {
				pieces[i] = typed
			}
		}
	}
	for _, s := range spokenIn(e.Host, marked, pieces) {
		text := clip(s.text)
		add(s.part, engine.Observed{
			Text: text.words, Caption: text.note, Event: s.event, Speaker: s.speaker, Tags: s.tags,
			Said: e.said(s.what, text.words),
		})
	}
}

// prompt adds what is said in a user's name, by whom it is said.
func (r *transcriptReader) prompt(e *entry, session, alias string, marked ownwords.Voice, texts []string) {
	for _, s := range spokenIn(r.t.Host, marked, texts) {
		p := part{event: s.event, speaker: s.speaker, what: s.what, tags: s.tags}
		if alias != "" {
			p.alias = alias + s.part
		}
		r.add(e, session, s.text, p)
	}
}

// queued adds what was said while the agent worked: Claude Code hands it to the agent as an attachment.
func (r *transcriptReader) queued(e *entry) {
	if e.SessionID == "" || e.Meta || e.Attached.text("type") != "queued_command" {
		return
	}
	r.t.Host = ClaudeCode
	texts := textsOf(e.Attached["prompt"])
	if s := e.Attached.text("prompt"); s != "" {
		texts = []string{s}
	}
	marked, is := ownwords.Marked(ClaudeCode, e.Attached)
	if !is && e.Sidechain {
		marked = ownwords.Agent
	}
	r.prompt(e, e.SessionID, ClaudeCode+":"+e.UUID, marked, texts)
}

// codexPrompt adds a message of Codex's user. Newer versions say of each block whose it is.
func (r *transcriptReader) codexPrompt(e *entry, it *codexItem) {
	var blocks []json.RawMessage
	if json.Unmarshal(it.Content, &blocks) != nil || len(blocks) != len(it.Passed.Kinds) {
		r.prompt(e, r.session, "", r.marked, textsOf(it.Content))
		return
	}
	var own, others []string
	for i, kind := range it.Passed.Kinds {
		named, _ := json.Marshal(kind)
		text := textOf(append(append(json.RawMessage("["), blocks[i]...), ']'))
		if _, not := ownwords.Marked(Codex, fields{"content_item_kinds": named}); !not {
			own = append(own, text)
			continue
		}
		left, parts := ownwords.Split(Codex, text) // what is not kept of a host is not kept
		for _, p := range parts {
			if !p.Drop {
				left += "\n" + p.Text
			}
		}
		others = append(others, strings.TrimSpace(left))
	}
	r.prompt(e, r.session, "", r.marked, own)
	others = slices.DeleteFunc(others, func(s string) bool { return s == "" })
	r.prompt(e, r.session, "", max(r.marked, ownwords.Host), others)
}
