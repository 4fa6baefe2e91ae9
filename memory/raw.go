package memory

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindRaw is words as they were said or written.
const KindRaw Kind = "raw"

var rawForm = Form{
	Kind: KindRaw, Number: 1, Layer: layerCaptured,
	New:     func() Body { return new(Raw) },
	From:    func(Kind) bool { return false },
	Letter:  "¶",
	Shape:   "square",
	Day:     "#625b50",
	Night:   "#b3ac9d",
	ANSI:    "33",
	Title:   "Words",
	About:   "Words as they were said or written",
	Several: []string{"captures"},
}

// Raw is what was said or done, word for word: layer 0. Exactly one of Text
// and Base64 is set; Base64 is for bytes that are
// not valid UTF-8 or hold a NUL.
type Raw struct {
	Text       string `json:"text,omitempty"`
	Base64     string `json:"base64,omitempty"`
	Source     string `json:"source,omitempty"`     // cli, mcp, hook, import or api
	Event      string `json:"event,omitempty"`      // turn, tool_call, commit, …
	Speaker    string `json:"speaker,omitempty"`    // who said it
	Caption    string `json:"caption,omitempty"`    // what a picture sent with the words shows
	OccurredAt Time   `json:"occurred_at,omitzero"` // when it happened, if not when it was recorded
}

// RawSources are the places a raw can be captured from.
var rawSources = []string{"cli", "mcp", "hook", "import", "api"}

// RawEvents are the kinds of event a raw can be.
var RawEvents = []string{
	"turn", "user_prompt", "assistant_response", "tool_call", "tool_output", "diff", "test_summary", "error", "commit",
}

// kind is raw.
func (*Raw) kind() Kind { return KindRaw }

// headline returns the first line that says something.
func (b *Raw) headline() string {
	if line := shorten.FirstLine(b.Said()); line != "" || b.Base64 == "" {
		return line
	}
	return "(bytes that are not text)"
}

// words returns the text, who said it and what a picture showed.
func (b *Raw) words() string { return joined(b.Said(), b.Caption, b.Speaker) }

// check holds the words to their bounds; NUL is refused in text.
func (b *Raw) check() error {
	var err error
	switch {
	case b.Text != "" && b.Base64 != "":
		err = bad("text", "stands beside base64; a raw has one of them")
	case b.Base64 != "":
		err = checkBlob(b.Base64)
	case strings.TrimSpace(b.Text) == "":
		err = bad("text", "is blank")
	default:
		err = textUpTo("text", b.Text, MaxRawText)
	}
	return errors.Join(err,
		oneOf("source", b.Source, rawSources),
		oneOf("event", b.Event, RawEvents),
		textUpTo("speaker", b.Speaker, MaxNameBytes),
		text("caption", b.Caption))
}

// checkBlob takes only what text cannot say, so that the same words are never
// written in two ways.
func checkBlob(s string) error {
	blob, err := checkBase64("base64", s)
	switch {
	case err != nil:
		return err
	case len(blob) == 0 || len(blob) > MaxRawText:
		return bad("base64", "must hold 1 to %d bytes, got %d", MaxRawText, len(blob))
	case utf8.Valid(blob) && bytes.IndexByte(blob, 0) < 0:
		return bad("base64", "holds plain text, which belongs in text")
	}
	return nil
}

func (*Raw) sealed() {}

func (b *Raw) write(w *writer) {
	w.text("base64", b.Base64)
	w.text("caption", b.Caption)
	w.text("event", b.Event)
	w.time("occurred_at", b.OccurredAt)
	w.text("source", b.Source)
	w.text("speaker", b.Speaker)
	w.text("text", b.Text)
}

func (b *Raw) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "base64":
			b.Base64 = s.text()
		case "caption":
			b.Caption = s.text()
		case "event":
			b.Event = s.text()
		case "occurred_at":
			b.OccurredAt = s.time()
		case "source":
			b.Source = s.text()
		case "speaker":
			b.Speaker = s.text()
		case "text":
			b.Text = s.text()
		}
	})
}
