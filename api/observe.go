package api

// An Observed is something that a hook saw happen in an agent's host.
type Observed struct {
	ID    string   `json:"id"`              // of this happening: what is handed over again is not stored again
	Alias []string `json:"alias,omitempty"` // what the host calls it; one that is held was stored before
	Said  string   `json:"said,omitempty"`  // names words that may be said again: each time is counted

	Text       string   `json:"text"`
	Event      string   `json:"event,omitempty"`
	Speaker    string   `json:"speaker,omitempty"`
	Caption    string   `json:"caption,omitempty"`
	OccurredAt string   `json:"occurred_at,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Session    string   `json:"session,omitempty"`
	Agent      string   `json:"agent,omitempty"`
	Platform   string   `json:"platform,omitempty"`
	Tool       bool     `json:"tool,omitempty"` // the words are what a tool gave
}

// ObserveReply says what became of it.
type ObserveReply struct {
	Refs    []string `json:"refs,omitempty"` // of what was stored
	Present int      `json:"already_there"`
}
