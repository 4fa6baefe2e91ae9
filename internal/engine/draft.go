package engine

import (
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// Defaults of what an author leaves out.
const (
	defaultConfidence = 800 // thousandths
	defaultNote       = "observation"
	defaultBelief     = "fact"
	defaultPriority   = 50
	defaultIntensity  = 500 // thousandths
)

// summaryBytes is where the summary of a long note of one line is cut; the
// whole is its body.
const summaryBytes = 200

// header gives the header that m describes.
func metaHeader(m api.Meta, fallback memory.Confidence) (memory.Header, error) {
	h := memory.Header{Confidence: fallback, Tags: m.Tags, About: m.About, Session: m.Session, Trigger: m.Trigger}
	var err error
	if m.Confidence != nil {
		if h.Confidence, err = memory.ParseConfidence(*m.Confidence); err != nil {
			return h, sorted(err)
		}
	}
	if h.ValidFrom, err = parseTime("valid_from", m.ValidFrom); err != nil {
		return h, err
	}
	h.ValidUntil, err = parseTime("valid_until", m.ValidUntil)
	return h, err
}

// parseTime reads RFC 3339, with or without seconds, or a date; "" is none.
func parseTime(field, s string) (memory.Time, error) {
	if s == "" {
		return memory.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return memory.At(t), nil
		}
	}
	return memory.Time{}, invalid("%s: a time is written 2006-01-02 or 2006-01-02T15:04:05Z, got %q", field, memory.Cut(s, 40))
}

// DraftBody makes the body that d describes. Its error matches ErrInvalid and names the
// member at fault; a raw is no draft, and is refused.
func DraftBody(d api.Draft) (memory.Body, error) {
	body := newBody(memory.Kind(d.Kind))
	if body == nil {
		return nil, invalid("kind: must be one of %s, got %q", kindList(), memory.Cut(d.Kind, 40))
	}
	if err := draftSay(d, body); err != nil {
		return nil, err
	}
	return body, nil
}

// wholeFeeling refuses half of how an episode felt: a record holds valence and arousal
// together, and the one that was not said would be made up. Of what others exported
// the half that is there is taken.
func draftWholeFeeling(d api.Draft) error {
	switch {
	case d.Valence != nil && d.Arousal == nil:
		return invalid("arousal: is missing; a record holds valence and arousal together, and none is made up: " +
			"say how strongly it was felt, 0 to 1")
	case d.Arousal != nil && d.Valence == nil:
		return invalid("valence: is missing; a record holds valence and arousal together, and none is made up: " +
			"say how it felt, -1 to 1")
	}
	return nil
}

// numbers turns decimals into thousandths and keeps the first error.
type numbers struct{ err error }

// boundsOf are the bounds of the numbers that a draft gives in decimals.
var boundsOf = map[string][2]float64{
	"valence": {-1, 1}, "arousal": {0, 1}, "intensity": {0, 1}, "sentiment": {-1, 1},
}

// thousandths gives the number of a member of a draft.
func (n *numbers) thousandths(name string, f float64) int {
	return n.within(name, &f, boundsOf[name][0], boundsOf[name][1], 0)
}

// within gives a bound of a search, or where none is given the fallback.
func (n *numbers) within(name string, f *float64, least, most float64, fallback int) int {
	if f == nil {
		return fallback
	}
	v, err := memory.Thousandths(name, *f, least, most)
	if n.err == nil {
		n.err = err
	}
	return v
}

func kindList() string {
	var names []string
	for _, k := range memory.Memories() {
		if k != memory.KindRaw {
			names = append(names, string(k))
		}
	}
	return strings.Join(names, ", ")
}
