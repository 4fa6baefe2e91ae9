package api

// ConfidenceHistoryReply is how sure we were of a memory, from its first day on.
type ConfidenceHistoryReply struct {
	Ref                string             `json:"ref"`
	Headline           string             `json:"headline"`
	Confidence         float64            `json:"confidence"`          // now
	ConfidenceAsserted float64            `json:"confidence_asserted"` // by its author, when it was written
	ConfidenceHistory  []ConfidenceChange `json:"confidence_history"`
}

// ConfidenceChange is one step of how sure we were: a wording that was written, or a claim
// that counted.
type ConfidenceChange struct {
	Of      string   `json:"of"`              // ref of the wording: the memory, or an earlier one that it replaced
	Claim   string   `json:"claim,omitempty"` // ref of it; a wording is none
	Kind    string   `json:"kind"`            // created, revised, verify or assess
	At      string   `json:"at"`
	Before  *float64 `json:"before,omitempty"`
	After   float64  `json:"after"`
	By      string   `json:"by"` // whose key
	Origin  string   `json:"origin"`
	Agent   string   `json:"agent,omitempty"`
	Why     string   `json:"why"`
	Because []string `json:"because,omitempty"` // the episodes that moved it
}

// ReinforceRequest moves a confidence because of what happened.
type ReinforceRequest struct {
	Ref     string   `json:"ref"`
	Because []string `json:"because" jsonschema:"refs of the episodes that speak for it, or against it"`
	Step    *float64 `json:"step,omitempty" jsonschema:"-1 to 1; below 0 weakens; left out is 0.05"`
	Reason  string   `json:"reason,omitempty"`
}

// ReinforceReply is the memory as it stands after it.
type ReinforceReply struct {
	Claim            string   `json:"claim"` // ref of it
	Ref              string   `json:"ref"`
	Headline         string   `json:"headline"`
	ConfidenceBefore float64  `json:"confidence_before"`
	Confidence       float64  `json:"confidence"`
	Because          []string `json:"because"`
}
