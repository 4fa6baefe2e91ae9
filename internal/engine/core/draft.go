package core

import (
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Defaults of what an author leaves out.
const (
	DefaultConfidence = 800 // thousandths
	DefaultNote       = "observation"
)

// SummaryBytes is where the summary of a long note of one line is cut; the
// whole is its body.
const SummaryBytes = 200

// header returns the header that m describes.
func MetaHeader(m api.Meta, fallback memory.Confidence) (memory.Header, error) {
	h := memory.Header{Confidence: fallback, Tags: m.Tags, About: m.About, Session: m.Session, Trigger: m.Trigger}
	var err error
	if m.Confidence != nil {
		if h.Confidence, err = memory.ParseConfidence(*m.Confidence); err != nil {
			return h, Classify(err)
		}
	}
	if h.ValidFrom, err = ParseTime("valid_from", m.ValidFrom); err != nil {
		return h, err
	}
	h.ValidUntil, err = ParseTime("valid_until", m.ValidUntil)
	return h, err
}

// DraftBody makes the body that d describes. Its error matches ErrInvalid and names the
// member at fault; a raw is no draft, and is refused.
func DraftBody(d api.Draft) (memory.Body, error) {
	body := memory.Kind(d.Kind).Blank()
	if body == nil {
		return nil, Invalid("kind: must be one of %s, got %q", KindList(), shorten.To(d.Kind, 40))
	}
	if err := DraftSay(d, body); err != nil {
		return nil, err
	}
	return body, nil
}

// wholeFeeling refuses half of how an episode felt: a record holds valence and arousal
// together, and the one that was not said would be made up. Of what others exported
// the half that is there is taken.
func DraftWholeFeeling(d api.Draft) error {
	switch {
	case d.Valence != nil && d.Arousal == nil:
		return Invalid("arousal: is missing; a record has both valence and arousal or neither: " +
			"say how strongly it was felt, 0 to 1")
	case d.Arousal != nil && d.Valence == nil:
		return Invalid("valence: is missing; a record has both valence and arousal or neither: " +
			"say how it felt, -1 to 1")
	}
	return nil
}

// Numbers turns decimals into thousandths and keeps the first error.
type Numbers struct{ Err error }

// refuse keeps an error, if it is the first.
func (n *Numbers) refuse(format string, args ...any) {
	if n.Err == nil {
		n.Err = Invalid(format, args...)
	}
}

// Within returns a bound of a search, or where none is given the fallback.
func (n *Numbers) Within(name string, f *float64, least, most float64, fallback int) int {
	if f == nil {
		return fallback
	}
	v, err := memory.Thousandths(name, *f, least, most)
	if n.Err == nil {
		n.Err = err
	}
	return v
}

// Drafted returns the kinds of memory that somebody can write: all but raw words.
func Drafted() []memory.Kind {
	return slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool { return len(k.Form().Fields) == 0 })
}

// KindList returns the kinds of memory that can be drafted, in words.
func KindList() string {
	var names []string
	for _, k := range Drafted() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

const MostReasonBytes = 280

// EditContext says in a record's provenance that it was written in a file.
const EditContext = "markdown"

// Ago reads a time that a reader asks by, or how long ago it was.
func (e *Core) Ago(field, text string) (time.Time, error) {
	at, err := When(field, text, e.C.Now(), e.C.Zone)
	return at.Time(), err
}

// Begins returns when what a record says begins to hold. A revision that names no beginning begins when it was
// written; anything else that names none holds always: the zero time.
func Begins(r *memory.Record) memory.Time {
	if r.Header.ValidFrom.IsZero() && len(r.Header.Provenance.Supersedes) > 0 {
		return r.Header.At
	}
	return r.Header.ValidFrom
}

// Holds reports whether what r says held at a time; what says no times held always.
func Holds(r *memory.Record, at time.Time) bool {
	from, until := Begins(r), r.Header.ValidUntil
	return (from.IsZero() || !at.Before(from.Time())) && (until.IsZero() || at.Before(until.Time()))
}
