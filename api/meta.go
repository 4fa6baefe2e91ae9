package api

// UncertainRequest asks for weak memories.
type UncertainRequest struct {
	Threshold *float64 `json:"threshold,omitempty" jsonschema:"0 to 1; left out is 0.5"`
	Limit     int      `json:"limit,omitempty"`
}

// HistoryReply is the revisions of one memory, the oldest first.
type HistoryReply struct {
	Ref       string   `json:"ref"`
	Revisions []Memory `json:"revisions"`
	Forked    bool     `json:"forked,omitempty"` // two rival revisions
}
