package importers

import (
	"cmp"
	"html"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// isGemini reports whether a file is of Gemini: the activity in an export of Takeout, or a session, a log
// or a checkpoint of Gemini CLI.
func isGemini(s *sight) bool {
	return s.listed && strings.HasPrefix(s.names["header"], "Gemini") && s.has("title", "time") ||
		s.listed && s.has("header", "title", "time") && strings.HasPrefix(s.names["products[]"], "Gemini") ||
		s.has("sessionId", "messages") && s.any("projectHash", "startTime") ||
		s.listed && s.has("sessionId", "messageId", "message") ||
		s.listed && s.has("role") && s.list("parts")
}

// readGemini reads what was asked and answered.
func readGemini(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		h := newHeap()
		if err := r.each(f, "entry", nil, func(e element) error {
			switch {
			case e.members["messages"] != nil:
				return geminiSession(h, e)
			case e.members["sessionId"] != nil:
				h.lost.leaveOut("lines of the log, which the sessions have too")
				return nil
			case e.members["parts"] != nil:
				return h.say(said{
					row: e.row, alias: "gemini:" + r.name(f) + ":" + digestOf(e.row, h.textOf(e.members["parts"])),
					speaker: e.peek("role"), text: h.textOf(e.members["parts"]), session: "gemini:" + r.name(f),
				})
			}
			return geminiActivity(h, e)
		}); err != nil {
			return err
		}
		return r.part(h)
	})
}

// prompted is how Takeout writes what a person asked.
var prompted = lazy.Regexp(`^(?s)\s*(?:Prompted|Asked|Said)[ \x{a0}](.*)$`)

// geminiActivity makes two raws of an entry of Takeout: what was asked, and what was answered.
func geminiActivity(h *heap, e element) error {
	title, when := e.peek("title"), e.peek("time")
	asked := prompted.Get().FindStringSubmatch(title)
	if asked == nil {
		h.lost.leaveOut("activity that is no prompt")
		return nil
	}
	id := digestOf(when, title)
	if err := h.say(said{
		row: e.row, alias: "gemini:" + id, speaker: "user", text: html.UnescapeString(asked[1]), when: when,
	}); err != nil {
		return err
	}
	var answer []string
	for _, one := range asList(e.members["safeHtmlItem"]) {
		if m, ok := one.(map[string]any); ok {
			text, _ := m["html"].(string)
			answer = append(answer, plainOf(text))
		}
	}
	for range asList(e.members["attachedFiles"]) {
		h.lost.leaveOut("attachments")
	}
	return h.say(said{
		row: e.row, alias: "gemini:" + id + ":answer", speaker: "gemini", text: strings.Join(answer, "\n\n"), when: when,
	})
}

// Tags of HTML that end a line, and all others.
var (
	breaks  = lazy.Regexp(`(?i)<(br|/p|/div|/li|/h[1-6]|/tr|hr|/pre)\b[^>]*>`)
	bullets = lazy.Regexp(`(?i)<li\b[^>]*>`)
	unseen  = lazy.Regexp(`(?is)<(script|style|head)\b.*?</(script|style|head)>`)
	anyTag  = lazy.Regexp(`(?s)<[^>]*>`)
	gaps    = lazy.Regexp(`\n[ \t]*\n([ \t]*\n)+`)
)

// plainOf returns the words of HTML.
func plainOf(text string) string {
	text = unseen.Get().ReplaceAllString(text, "")
	text = breaks.Get().ReplaceAllString(text, "\n")
	text = bullets.Get().ReplaceAllString(text, "- ")
	text = anyTag.Get().ReplaceAllString(text, "")
	return strings.TrimSpace(gaps.Get().ReplaceAllString(html.UnescapeString(text), "\n\n"))
}

// geminiSession reads a session of Gemini CLI.
func geminiSession(h *heap, e element) error {
	t := &taker{m: e.members}
	id := t.need("sessionId")
	if t.err != nil {
		return t.err
	}
	for _, one := range asList(e.members["messages"]) {
		m, ok := one.(map[string]any)
		if !ok {
			continue
		}
		kind := members(m).peek("type")
		if kind == "info" || kind == "error" || kind == "warning" {
			h.lost.leaveOut("messages of the program")
			continue
		}
		if len(asList(m["toolCalls"])) > 0 {
			h.lost.leaveOut("calls of tools and what they returned")
		}
		if len(asList(m["thoughts"])) > 0 {
			h.lost.leaveOut("thoughts of models")
		}
		text := h.textOf(m["content"])
		if err := h.say(said{
			row: e.row, alias: "gemini:" + cmp.Or(members(m).peek("id"), id+":"+digestOf(members(m).peek("timestamp"), text)),
			speaker: kind, text: text, when: members(m).peek("timestamp"), session: "gemini:" + id,
			ext: with(nil, "model", m["model"]),
		}); err != nil {
			return err
		}
	}
	return nil
}
