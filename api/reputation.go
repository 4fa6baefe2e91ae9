package api

// ReputationReply is what somebody's record so far is worth, as the reader sees it.
type ReputationReply struct {
	AgentID    string  `json:"agent_id"` // the key of the owner behind it
	Name       string  `json:"name,omitempty"`
	Known      bool    `json:"known"`      // the reader, or introduced to them; anybody else is worth 0
	Reputation float64 `json:"reputation"` // 0 to 1; without any record 0.5
	Upheld     int     `json:"upheld"`     // memories confirmed by somebody independent, undisputed
	Refuted    int     `json:"refuted"`    // disputes upheld, verdicts rejected
}
