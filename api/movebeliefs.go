package api

// ReviseBeliefsRequest names an episode that may bear on what is believed.
type ReviseBeliefsRequest struct {
	Episode string `json:"episode" jsonschema:"ref of the episode"`
}

// ReviseBeliefsReply is what the episode did to beliefs.
type ReviseBeliefsReply struct {
	Episode     string       `json:"episode"`
	Headline    string       `json:"headline"`
	Beliefs     int          `json:"beliefs"` // looked at: those that are like it
	Moves       []BeliefMove `json:"moves"`
	MovedBefore int          `json:"moved_before,omitempty"` // of them, those that it moved before
	By          string       `json:"by"`                     // rules, or a model
	Notes       []string     `json:"notes,omitempty"`
}

// BeliefMove is what the episode does to one belief.
type BeliefMove struct {
	Belief           string  `json:"belief"`
	Headline         string  `json:"headline"`
	Effect           string  `json:"effect"` // reinforces, weakens or challenges
	Reason           string  `json:"reason,omitempty"`
	ConfidenceBefore float64 `json:"confidence_before"`
	Confidence       float64 `json:"confidence"`
	Claim            string  `json:"claim,omitempty"` // ref of the assessment or the link that was written
	NotWritten       string  `json:"not_written,omitempty"`
}
