package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindEpisode is something that happened.
const KindEpisode Kind = "episode"

var episodeForm = Form{
	Kind: KindEpisode, Number: 2, Layer: layerEpisodic,
	New:    func() Body { return new(Episode) },
	From:   func(k Kind) bool { return k == KindRaw || k == KindNote || k == KindEpisode },
	Letter: "E",
	Day:    "#285f8a",
	Night:  "#86b9e2",
	ANSI:   "32",
	Title:  "Objective",
	About:  "Experiences, their outcomes and lessons",
	Examples: []string{
		`stemma episode "Moved the session cache to Redis" --outcome-type success --lesson "measure first"`,
		`stemma episode list --provenance`,
		`stemma episode show 81c0 --trace`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Episode).Objective }},
		{
			Name: "outcome", In: func(b Body) any { return &b.(*Episode).Outcome },
			Usage: "outcome, in words", Section: "Outcome",
		},
		{
			Name: "outcome_type", In: func(b Body) any { return &b.(*Episode).OutcomeType },
			Usage: "outcome type: success, failure, partial or unknown",
		},
		{
			Name: "lessons", In: func(b Body) any { return &b.(*Episode).Lessons }, Flag: "lesson",
			Usage: "lesson learned; repeatable", Section: "Lessons",
		},
		{
			Name: "repeat", In: func(b Body) any { return &b.(*Episode).Repeat },
			Usage: "what to repeat next time", Section: "Repeat",
		},
		{
			Name: "avoid", In: func(b Body) any { return &b.(*Episode).Avoid },
			Usage: "what to avoid next time", Section: "Avoid",
		},
		{Name: "valence", Least: -1, Most: 1, Usage: "how it felt, from -1 (bad) to 1 (good)"},
		{Name: "arousal", Most: 1, Usage: "intensity of the feeling, 0 to 1"},
		{Name: "emotions", Flag: "emotion", Commas: true, Usage: "name of a feeling"},
	},
}

// Episode is something that happened, with what was learned: layer 1.
type Episode struct {
	Objective   string   `json:"objective"`
	Outcome     string   `json:"outcome,omitempty"`
	OutcomeType string   `json:"outcome_type,omitempty"` // success, failure, partial, unknown: given, never guessed
	Lessons     []string `json:"lessons,omitempty"`
	Repeat      []string `json:"repeat,omitempty"`
	Avoid       []string `json:"avoid,omitempty"`
	Emotion     *Emotion `json:"emotion,omitempty"`
}

// Emotion is how an episode felt, in thousandths.
type Emotion struct {
	Valence int      `json:"valence"` // -1000 (bad) to 1000 (good)
	Arousal int      `json:"arousal"` // 0 (calm) to 1000 (stirred)
	Labels  []string `json:"labels,omitempty"`
}

// OutcomeTypes are the ways an episode can have ended.
var OutcomeTypes = []string{"success", "failure", "partial", "unknown"}

// kind is episode.
func (*Episode) kind() Kind { return KindEpisode }

// headline returns the objective.
func (b *Episode) headline() string { return shorten.FirstLine(b.Objective) }

// words returns the objective, the outcome and what was learned.
func (b *Episode) words() string {
	return joined(b.Objective, b.Outcome, list(b.Lessons), list(b.Repeat), list(b.Avoid))
}

// check asks for an objective and holds the rest to its bounds.
func (b *Episode) check() error {
	err := errors.Join(
		need("objective", b.Objective),
		text("outcome", b.Outcome),
		oneOf("outcome_type", b.OutcomeType, OutcomeTypes),
		lines("lessons", b.Lessons), lines("repeat", b.Repeat), lines("avoid", b.Avoid))
	if e := b.Emotion; e != nil {
		err = errors.Join(err,
			checkRange("emotion.valence", e.Valence, -thousand, thousand),
			checkRange("emotion.arousal", e.Arousal, 0, thousand),
			lines("emotion.labels", e.Labels))
	}
	return err
}

func (*Episode) sealed() {}

func (b *Episode) write(w *writer) {
	w.texts("avoid", b.Avoid)
	if e := b.Emotion; e != nil {
		w.name("emotion")
		w.open()
		w.number("arousal", int64(e.Arousal))
		w.texts("labels", e.Labels)
		w.number("valence", int64(e.Valence))
		w.close()
	}
	w.texts("lessons", b.Lessons)
	w.say("objective", b.Objective)
	w.text("outcome", b.Outcome)
	w.text("outcome_type", b.OutcomeType)
	w.texts("repeat", b.Repeat)
}
