package api

// SuggestionsReply is what waits, memories first, then links, the oldest first.
type SuggestionsReply struct {
	Suggestions []Suggestion `json:"suggestions"`
	More        bool         `json:"more,omitempty"`
}

// Suggestion is a memory or a link that no one has decided on.
type Suggestion struct {
	Ref       string    `json:"ref"`
	Type      string    `json:"type"` // the kind
	Headline  string    `json:"headline"`
	Text      string    `json:"text,omitempty"` // all that a memory says, where the headline is not all
	By        string    `json:"by,omitempty"`   // how it was proposed
	Sources   []Source  `json:"sources,omitempty"`
	Link      *LinkView `json:"link,omitempty"`
	At        string    `json:"at,omitempty"` // when a memory was said or happened
	CreatedAt string    `json:"created_at"`
}

// SuggestionRequest decides about one suggestion.
type SuggestionRequest struct {
	Ref    string `json:"ref"`
	Text   string `json:"text,omitempty" jsonschema:"for an edit: the rewritten memory"`
	Reason string `json:"reason,omitempty"`
}

// SuggestionReply is what the decision did.
type SuggestionReply struct {
	Memories []Memory    `json:"memories,omitempty"`
	Link     *LinkView   `json:"link,omitempty"`
	Memory   *WriteReply `json:"memory,omitempty"` // of an edit
}
