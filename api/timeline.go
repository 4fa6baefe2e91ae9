package api

// TimelineRequest asks what was recorded, as it was known at a time.
type TimelineRequest struct {
	AsOf   string `json:"as_of,omitempty" jsonschema:"a time, or how long ago such as 48h; empty is now"`
	Before string `json:"before,omitempty" jsonschema:"go on with what was recorded at this time or earlier"`
	Kind   string `json:"kind,omitempty" jsonschema:"one kind; empty is all but raw"`
	Limit  int    `json:"limit,omitempty" jsonschema:"0 is 50, at most 500"`
}

// TimelineReply is memories by the time at which they were recorded, the newest
// first.
type TimelineReply struct {
	AsOf    string          `json:"as_of,omitempty"`
	Entries []TimelineEntry `json:"entries"`
	More    bool            `json:"more,omitempty"`
}

// A TimelineEntry is a memory as it was known then. Trust is always as it is now:
// a key that was stolen since was stolen.
type TimelineEntry struct {
	PictureNode
	// What is otherwise by now; absent is what is as it was.
	TierNow       string   `json:"tier_now,omitempty"`
	ConfidenceNow *float64 `json:"confidence_now,omitempty"`
	HiddenNow     string   `json:"hidden_now,omitempty"`
}
