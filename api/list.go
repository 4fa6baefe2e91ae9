package api

// ListRequest says which memories to list. Its zero value is the newest 50 that
// are live.
type ListRequest struct {
	Kind        string `json:"kind,omitempty" jsonschema:"one kind; empty is all but raw"`
	Limit       int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
	All         bool   `json:"all,omitempty" jsonschema:"superseded, rejected and forgotten ones too"`
	Oldest      bool   `json:"oldest,omitempty" jsonschema:"the oldest first"`
	Session     string `json:"session,omitempty"`
	Tag         string `json:"tag,omitempty"`
	Type        string `json:"type,omitempty" jsonschema:"the type within a kind, such as decision"`
	Unprocessed bool   `json:"unprocessed,omitempty" jsonschema:"captures that no memory was made from"`

	// Brief leaves out how each stands, for which all that stands behind
	// it is read: of a belief that rests on thousands of records, thousands.
	Brief bool `json:"-"`

	// Each, where it is not nil, is called with some memories after the others, in their order,
	// which are then not in the reply: of a list without a limit, not all are kept at once.
	Each func([]Memory) error `json:"-"`
}

// ListReply is memories in log order, or prompts of the user in groups.
type ListReply struct {
	Memories []Memory `json:"memories"`
	More     bool     `json:"more,omitempty"` // there are more than the limit

	// Waiting are prompts that are not memories yet, as `recent` with waiting gives them: by session, the oldest first
	Waiting []WaitingGroup `json:"waiting,omitempty"`
	LeftOut int            `json:"left_out,omitempty"` // prompts beside those given
	Hint    string         `json:"hint,omitempty"`     // what to do with them, and how to get the others
}

// WaitingGroup is the prompts of one session that are not memories yet.
type WaitingGroup struct {
	Session string          `json:"session,omitempty"`
	Prompts []WaitingPrompt `json:"prompts"`
}

// WaitingPrompt is one prompt that is not a memory yet.
type WaitingPrompt struct {
	Ref   string `json:"ref"`
	At    string `json:"at"` // when it was said
	Text  string `json:"text"`
	Cut   bool   `json:"cut,omitempty"`   // the text ends early
	Words int    `json:"words,omitempty"` // that it has in full, where it is cut
}
