package api

// DecisionsRequest asks who decided what. Its zero value is the newest 50.
type DecisionsRequest struct {
	By    string `json:"by,omitempty" jsonschema:"a person or an agent, by name or key; or me"`
	About string `json:"about,omitempty" jsonschema:"a ref, or a name that memories are about"`
	Act   string `json:"act,omitempty" jsonschema:"one act, such as approve or purge"`
	Since string `json:"since,omitempty" jsonschema:"a time, or how long ago such as 2h"`
	Until string `json:"until,omitempty" jsonschema:"a time, or how long ago"`
	Limit int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// DecisionsReply lists decisions, the newest first.
type DecisionsReply struct {
	Decisions []Decision `json:"decisions"`
	More      bool       `json:"more,omitempty"` // there are more than the limit
}

// Decision is one act by which somebody decided about memories or keys.
type Decision struct {
	Ref    string `json:"ref"` // of the signed record that says so
	At     string `json:"at"`
	Act    string `json:"act"`
	Detail string `json:"detail,omitempty"` // the verdict of a witness, the status of a goal, which act was undone, …
	By     string `json:"by"`               // you, the name of another person, or the beginning of their key
	Key    string `json:"key"`              // the key that began their history
	Agent  string `json:"agent,omitempty"`  // the agent that acted for them
	// Of is what was decided about, at most 20. A quarantined or purged one has no words; a key has its name.
	Of         []LinkEnd `json:"of"`
	OfMore     int       `json:"of_more,omitempty"`
	Now        *LinkEnd  `json:"now,omitempty"` // what took the place of it
	Why        string    `json:"why"`           // "" where no reason was given
	ProposedBy string    `json:"proposed_by,omitempty"`
	Space      string    `json:"space"`
	Counts     bool      `json:"counts"`               // for the reader of this store
	TakenBack  bool      `json:"taken_back,omitempty"` // by a later decision
}
