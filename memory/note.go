package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
	"strings"
)

// KindNote is a decision, an insight, a quote or another single thing worth keeping.
const KindNote Kind = "note"

var noteForm = Form{
	Kind: KindNote, Number: 3, Layer: layerSemantic,
	New:     func() Body { return new(Note) },
	OneLine: true,
	Blank:   func() Body { return &Note{Type: "observation"} },
	Letter:  "N",
	Shape:   "page",
	Day:     "#79591a",
	Night:   "#d8b566",
	ANSI:    "36",
	Title:   "Summary",
	About:   "Decisions, insights, quotes and constraints",
	Types: map[string][]string{
		"decision": nil, "insight": nil, "quote": nil, "encounter": nil, "correction": nil, "observation": nil,
		"preference": nil, "convention": {"conventions", "rules"}, "constraint": {"constraints", "rules"},
		"known_fix": {"fixes"}, "failed_attempt": {"attempts"}, "environment": nil,
	},
	Examples: []string{
		`stemma note "Use bun:sqlite for the database" --type decision --reason "no native build"`,
		`stemma note list --type constraint`,
		`stemma note show 5d11 --trace`,
	},
	Fields: []Field{
		{Name: "text"},
		{
			Name: "type", In: func(b Body) any { return &b.(*Note).Type },
			Usage: strings.Join(NoteTypes, ", ") + ` (default "observation")`,
		},
		{Name: "description", Flag: "body", Usage: "details beyond the summary"},
		{Name: "speaker", In: func(b Body) any { return &b.(*Note).Speaker }, Usage: "speaker"},
		{Name: "reason", In: func(b Body) any { return &b.(*Note).Reason }, Usage: "why", Section: "Reason"},
		{
			Name: "alternatives", In: func(b Body) any { return &b.(*Note).Alternatives }, Flag: "alternative",
			Usage: "alternative that was considered; repeatable", Section: "Alternatives",
		},
	},
}

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

// kind is note.
func (*Note) kind() Kind { return KindNote }

// headline returns the summary.
func (b *Note) headline() string { return shorten.FirstLine(b.Summary) }

// words returns everything that was written.
func (b *Note) words() string {
	return joined(b.Summary, b.Body, b.Speaker, b.Reason, list(b.Alternatives))
}

// check asks for a type and a summary of one line.
func (b *Note) check() error {
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

func (b *Note) write(w *writer) {
	w.texts("alternatives", b.Alternatives)
	w.text("body", b.Body)
	w.text("reason", b.Reason)
	w.text("speaker", b.Speaker)
	w.say("summary", b.Summary)
	w.say("type", b.Type)
}

func (b *Note) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "alternatives":
			b.Alternatives = s.texts()
		case "body":
			b.Body = s.text()
		case "reason":
			b.Reason = s.text()
		case "speaker":
			b.Speaker = s.text()
		case "summary":
			b.Summary = s.text()
		case "type":
			b.Type = s.text()
		}
	})
}
