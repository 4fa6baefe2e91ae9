package memory

import "errors"

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

// Kind is episode.
func (*Episode) Kind() Kind { return KindEpisode }

// Headline returns the objective.
func (b *Episode) Headline() string { return FirstLine(b.Objective) }

// Words returns the objective, the outcome and what was learned.
func (b *Episode) Words() string {
	return joined(b.Objective, b.Outcome, list(b.Lessons), list(b.Repeat), list(b.Avoid))
}

// Check asks for an objective and holds the rest to its bounds.
func (b *Episode) Check() error {
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
