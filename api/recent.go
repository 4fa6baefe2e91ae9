package api

// RecentRequest asks what was captured lately, or which prompts of the user are not memories yet.
type RecentRequest struct {
	Session string `json:"session,omitempty" jsonschema:"only captures of this session; default: the current one"`
	Since   string `json:"since,omitempty" jsonschema:"a time, or an age such as 2h"`
	Limit   int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
	// Waiting asks for prompts of the user that are not memories yet, of all sessions and times where none is named.
	Waiting bool `json:"waiting,omitempty" jsonschema:"prompts that are not memories yet"`
	NotKept bool `json:"not_kept,omitempty" jsonschema:"with waiting: instead those that were not kept"`
	Budget  int  `json:"budget,omitempty" jsonschema:"with waiting: tokens for the words, 100 to 50000; 0 is 2000"`
}
