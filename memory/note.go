package memory

import (
	"errors"
	"strings"
)

// Note is one thing worth keeping: a decision, an insight, a quote.
type Note struct {
	Type         string   `json:"type"`
	Summary      string   `json:"summary"` // one line
	Body         string   `json:"body,omitempty"`
	Speaker      string   `json:"speaker,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Alternatives []string `json:"alternatives,omitempty"`
}

// NoteTypes are the kinds of note.
var NoteTypes = []string{
	"decision", "insight", "quote", "encounter", "correction", "observation", "preference",
	"convention", "known_fix", "constraint", "failed_attempt", "environment",
}

// Kind is note.
func (*Note) Kind() Kind { return KindNote }

// Headline returns the summary.
func (b *Note) Headline() string { return FirstLine(b.Summary) }

// Words returns everything that was written.
func (b *Note) Words() string {
	return joined(b.Summary, b.Body, b.Speaker, b.Reason, list(b.Alternatives))
}

// Check asks for a type and a summary of one line.
func (b *Note) Check() error {
	var err error
	if b.Type == "" {
		err = bad("type", "is missing: one of %s", strings.Join(NoteTypes, ", "))
	}
	if strings.ContainsAny(b.Summary, "\r\n") {
		err = errors.Join(err, bad("summary", "must be one line; the rest belongs in body"))
	}
	return errors.Join(err,
		oneOf("type", b.Type, NoteTypes),
		need("summary", b.Summary),
		text("body", b.Body),
		textUpTo("speaker", b.Speaker, MaxNameBytes),
		text("reason", b.Reason),
		lines("alternatives", b.Alternatives))
}

func (*Note) sealed() {}
