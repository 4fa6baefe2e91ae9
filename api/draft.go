package api

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

	Fields map[string]any `json:"fields,omitempty" jsonschema:"other fields that the kind has, by name"`
}

// Meta is what every memory can carry beside its words.
type Meta struct {
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"0 to 1"`
	Tags       []string `json:"tags,omitempty"`
	About      []string `json:"about,omitempty" jsonschema:"names of what it speaks of; me: the person"`
	ValidFrom  string   `json:"valid_from,omitempty" jsonschema:"when it begins to hold, RFC 3339 or a date"`
	ValidUntil string   `json:"valid_until,omitempty"`
	Session    string   `json:"session,omitempty"`
	Trigger    string   `json:"trigger,omitempty" jsonschema:"what prompted it"`
	Files      []string `json:"files,omitempty" jsonschema:"code it speaks of: path, path#symbol or path:10-20"`
	URLs       []string `json:"urls,omitempty" jsonschema:"pages it speaks of, signed as its evidence"`
	Approve    bool     `json:"approve,omitempty" jsonschema:"approve it at once; only a person's approval lifts its tier"`
}
