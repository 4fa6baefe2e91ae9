package api

// RecentRequest asks what was captured lately, or which prompts of the user are not memories yet.
type RecentRequest struct {
	Session string `json:"session,omitempty" jsonschema:"only captures of this session; default: the current one"`
	Since   string `json:"since,omitempty" jsonschema:"a time, or how long ago such as 2h; empty is a day, or the session"`
	Limit   int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
	// Waiting asks for prompts of the user that are not memories yet, of all sessions and times where none is named.
	Waiting bool `json:"waiting,omitempty" jsonschema:"prompts of the user that are not memories yet, the oldest first"`
	NotKept bool `json:"not_kept,omitempty" jsonschema:"with waiting: instead those that were settled as not kept"`
	Budget  int  `json:"budget,omitempty" jsonschema:"with waiting: tokens for the words, 100 to 50000; 0 is 2000"`
}

// RecentReply is what was captured lately, the newest first, or prompts in groups, the oldest first.
type RecentReply struct {
	ListReply
	Waiting []PromptGroup `json:"waiting,omitempty"`
	Left    int           `json:"left_out,omitempty"` // prompts beside those given
	Hint    string        `json:"hint,omitempty"`     // what to do with them, and how to get the others
}

// A PromptGroup is prompts of one session, in the order in which they were said.
type PromptGroup struct {
	Session string   `json:"session,omitempty"`
	Prompts []Prompt `json:"prompts"`
}

// A Prompt is what a person said to an agent.
type Prompt struct {
	Ref   string `json:"ref"`
	At    string `json:"at"` // when it was said
	Text  string `json:"text"`
	Cut   bool   `json:"cut,omitempty"`   // the text ends early
	Words int    `json:"words,omitempty"` // that it has in full, where it is cut
}

// Prompts are how many prompts of the user there are of one sort, and since when.
type Prompts struct {
	Count int    `json:"count"`
	Since string `json:"since,omitempty"` // when the oldest of them was said
}
