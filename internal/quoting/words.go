// Package quoting says which words of which record a text gives: a pack, of which it knows the records, and an answer
// that quotes the pack.
package quoting

import (
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// user is who speaks, unnamed, among the names that a memory is about.
const user = "user"

// Words returns all that a memory says: every field of its kind, why its author wrote it, who and what it is about,
// and when it holds. Of captured words it is the words. That it is about who spoke, unnamed, is not said: "we" and "I"
// are in the words.
func Words(r *memory.Record) string {
	text := memory.Whole(r.Body)
	if r.Header.Kind == memory.KindRaw {
		return text
	}
	h := &r.Header
	var more []string
	if h.Trigger != "" && !strings.Contains(text, h.Trigger) {
		more = append(more, "Because: "+h.Trigger)
	}
	var about []string
	low := strings.ToLower(text)
	for _, name := range h.About {
		if name != user && !strings.Contains(low, strings.ToLower(name)) {
			about = append(about, name)
		}
	}
	if len(about) > 0 {
		more = append(more, "About: "+strings.Join(about, ", "))
	}
	if len(h.Tags) > 0 {
		more = append(more, "Tags: "+strings.Join(h.Tags, ", "))
	}
	switch from, until := h.ValidFrom, h.ValidUntil; {
	case !from.IsZero() && !until.IsZero():
		more = append(more, "Holds from "+day(from)+" until "+day(until))
	case !from.IsZero():
		more = append(more, "Holds from "+day(from))
	case !until.IsZero():
		more = append(more, "Holds until "+day(until))
	}
	if len(more) == 0 {
		return text
	}
	if text == "" {
		return strings.Join(more, ".\n")
	}
	if end := text[len(text)-1:]; !strings.ContainsAny(end, ".!?:;") {
		text += "."
	}
	return text + "\n" + strings.Join(more, ".\n")
}

func day(t memory.Time) string { return t.Time().Format(time.DateOnly) }
