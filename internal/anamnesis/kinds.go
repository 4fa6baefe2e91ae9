package anamnesis

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// kindTypes says which content type stands for a kind. What is not in it is an
// observation.
var kindTypes = map[memory.Kind]string{
	memory.KindRaw:          "observation",
	memory.KindEpisode:      "observation",
	memory.KindBelief:       "insight",
	memory.KindValue:        "insight",
	memory.KindGoal:         "decision",
	memory.KindDrive:        "observation",
	memory.KindRelationship: "encounter",
	memory.KindPlaybook:     "insight",
}

// noteTypes says the same of those types of note that are none of the schema's.
var noteTypes = map[string]string{
	"quote":          "observation",
	"preference":     "insight",
	"convention":     "decision",
	"known_fix":      "insight",
	"constraint":     "decision",
	"failed_attempt": "correction",
	"environment":    "observation",
}

// contentType returns the content type of a type of note.
func contentType(note string) string {
	if slices.Contains(ContentTypes, note) {
		return note
	}
	if t, ok := noteTypes[note]; ok {
		return t
	}
	return "observation"
}

// maxSummary is where the summary of a memory without one is cut, in bytes; its
// body has the whole.
const maxSummary = 280

// content says what r says in the words of the schema.
func content(r *memory.Record) Content {
	c := Content{Type: "observation", Tags: slices.Clone(r.Header.Tags)}
	if c.Tags == nil {
		c.Tags = []string{}
	}
	if t, ok := kindTypes[r.Header.Kind]; ok {
		c.Type = t
	}
	line := oneLine(r.Headline())
	body := memory.Words(r.Body)
	switch b := r.Body.(type) {
	case *memory.Note:
		c.Type, c.Summary, c.Body = contentType(b.Type), b.Summary, optional(noteBody(b))
		return c
	case *memory.Raw:
		body = b.Text
	}
	c.Summary = shorten.To(line, maxSummary)
	if c.Summary != line {
		c.Summary += "…"
	}
	if strings.TrimSpace(body) != c.Summary {
		c.Body = optional(body)
	}
	return c
}

// oneLine keeps a headline on its line.
func oneLine(s string) string {
	return strings.TrimSpace(strings.NewReplacer("\r", " ", "\n", " ").Replace(s))
}

// noteBody returns everything of a note that the schema has no member for.
func noteBody(b *memory.Note) string {
	var parts []string
	add := func(label, s string) {
		if s != "" {
			parts = append(parts, label+s)
		}
	}
	add("", b.Body)
	add("Speaker: ", b.Speaker)
	add("Reason: ", b.Reason)
	for _, a := range b.Alternatives {
		add("Alternative: ", a)
	}
	return strings.Join(parts, "\n\n")
}
