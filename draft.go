package stemma

import (
	"strings"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A Draft is a memory as its author puts it: the words, and what else its kind
// can say. A member that the kind does not have is refused, so that nothing is
// lost silently. Numbers are decimals here, thousandths in the record.
type Draft struct {
	Kind string `json:"kind,omitempty" jsonschema:"episode, note, belief, value, goal, drive, relationship or playbook"`
	Text string `json:"text,omitempty" jsonschema:"the statement, objective, summary, title or name"`
	Type string `json:"type,omitempty" jsonschema:"the type a kind distinguishes, such as decision or principle"`

	Outcome     string   `json:"outcome,omitempty"`
	OutcomeType string   `json:"outcome_type,omitempty" jsonschema:"success, failure, partial or unknown"`
	Lessons     []string `json:"lessons,omitempty"`
	Repeat      []string `json:"repeat,omitempty"`
	Avoid       []string `json:"avoid,omitempty"`
	Valence     *float64 `json:"valence,omitempty" jsonschema:"-1 to 1"`
	Arousal     *float64 `json:"arousal,omitempty" jsonschema:"0 to 1"`
	Emotions    []string `json:"emotions,omitempty"`

	Speaker      string   `json:"speaker,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Alternatives []string `json:"alternatives,omitempty"`

	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Priority    *int     `json:"priority,omitempty" jsonschema:"0 to 100"`
	Intensity   *float64 `json:"intensity,omitempty" jsonschema:"0 to 1"`
	Focus       []string `json:"focus,omitempty"`
	Sentiment   *float64 `json:"sentiment,omitempty" jsonschema:"-1 to 1"`

	When         string   `json:"when,omitempty"`
	Steps        []string `json:"steps,omitempty"`
	FailureModes []string `json:"failure_modes,omitempty"`
	Recovery     []string `json:"recovery,omitempty"`
}

// Meta is what every memory can carry beside its words.
type Meta struct {
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"0 to 1"`
	Tags       []string `json:"tags,omitempty"`
	About      []string `json:"about,omitempty" jsonschema:"names of the entities it speaks of"`
	ValidFrom  string   `json:"valid_from,omitempty" jsonschema:"when it begins to hold, RFC 3339 or a date"`
	ValidUntil string   `json:"valid_until,omitempty"`
	Session    string   `json:"session,omitempty"`
	Trigger    string   `json:"trigger,omitempty" jsonschema:"what prompted it"`
	Files      []string `json:"files,omitempty" jsonschema:"code it speaks of: path, path#symbol or path:10-20"`
	URLs       []string `json:"urls,omitempty" jsonschema:"pages it speaks of, signed as its evidence"`
	Approve    bool     `json:"approve,omitempty" jsonschema:"approve it at once; only a person's approval lifts its tier"`
}

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
func (m Meta) header(fallback memory.Confidence) (memory.Header, error) {
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
func DraftBody(d Draft) (memory.Body, error) {
	body := newBody(memory.Kind(d.Kind))
	if body == nil {
		return nil, invalid("kind: must be one of %s, got %q", kindList(), memory.Cut(d.Kind, 40))
	}
	if err := d.say(body); err != nil {
		return nil, err
	}
	return body, nil
}

// wholeFeeling refuses half of how an episode felt: a record holds valence and arousal
// together, and the one that was not said would be made up. Of what others exported
// the half that is there is taken.
func (d Draft) wholeFeeling() error {
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
