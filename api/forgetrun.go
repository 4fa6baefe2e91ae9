package api

// ForgetRunRequest says what a cycle of forgetting may take.
type ForgetRunRequest struct {
	Threshold       *float64 `json:"threshold,omitempty" jsonschema:"only memories of a lower salience; default 0.3"`
	MinAge          string   `json:"min_age,omitempty" jsonschema:"unused for that long: 90d (the default), 12w, 36h"`
	HalfLife        string   `json:"half_life,omitempty" jsonschema:"30d is the default"`
	Limit           int      `json:"limit,omitempty" jsonschema:"0 is all; of candidates shown, 0 is 50 and -1 all"`
	IncludeApproved bool     `json:"include_approved,omitempty" jsonschema:"also memories that a person approved"`
	DryRun          bool     `json:"dry_run,omitempty" jsonschema:"show what would be forgotten, and forget nothing"`
	OlderThan       string   `json:"older_than,omitempty" jsonschema:"what is older goes, however often it was used: 365d"`
	Purge           bool     `json:"purge,omitempty" jsonschema:"with older_than: erase it; only a person may"`
}

// ForgetRunReply is what a cycle forgot, or would.
type ForgetRunReply struct {
	Count        int               `json:"count"`
	Candidates   []ForgetCandidate `json:"candidates"` // in the order in which they go, the first thousand
	More         bool              `json:"more,omitempty"`
	ByAge        bool              `json:"by_age,omitempty"` // by age alone, MinAge days
	Purged       bool              `json:"purged,omitempty"` // not forgotten, but erased
	Claims       []string          `json:"claims"`           // refs of the marks; all are stored, or none
	Kept         []ForgetKept      `json:"kept,omitempty"`   // as little used, and kept all the same
	Threshold    float64           `json:"threshold"`
	MinAgeDays   float64           `json:"min_age_days"`
	HalfLifeDays float64           `json:"half_life_days"`
}

// ForgetCandidate is a memory with the terms of its salience.
type ForgetCandidate struct {
	Ref             string  `json:"ref"`
	Headline        string  `json:"headline"`
	Text            string  `json:"text,omitempty"` // all that it says, where the headline is not all
	At              string  `json:"at,omitempty"`   // when it was said or happened
	CreatedAt       string  `json:"created_at"`
	Confidence      float64 `json:"confidence"`
	TimesAccessed   int     `json:"times_accessed"` // its creation is the first
	DaysSinceAccess float64 `json:"days_since_access"`
	HalfLifeDays    float64 `json:"half_life_days"`
	Salience        float64 `json:"salience"`
	Formula         string  `json:"formula"` // with these terms
}

// ForgetKept counts memories that are kept for one reason.
type ForgetKept struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}
