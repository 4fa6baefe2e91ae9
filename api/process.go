package api

// ProcessRequest makes memories of captured events that were not processed yet.
type ProcessRequest struct {
	Session     string `json:"session,omitempty" jsonschema:"only this conversation"`
	Later       bool   `json:"later,omitempty" jsonschema:"leave it to jobs"`
	NoEvolution bool   `json:"no_evolution,omitempty" jsonschema:"do not compare drafts with older memories"`

	// Progress, where it is not nil, is called with how many jobs were done so far.
	Progress func(done int) `json:"-"`
}

// ProcessReply says what came of it.
type ProcessReply struct {
	Raws     int `json:"raws"`     // looked at for the first time
	Sessions int `json:"sessions"` // they stand in
	RunJobsReply
}
