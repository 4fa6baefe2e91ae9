package api

// AssignRequest says which project memories are of that belong to none.
type AssignRequest struct {
	Refs  []string `json:"refs,omitempty"`
	All   bool     `json:"all,omitempty" jsonschema:"all that belong to no project, in place of refs"`
	Space string   `json:"space,omitempty" jsonschema:"of the project; empty is the one you are in, main is none again"`

	Reason string `json:"reason,omitempty"`
}

// AssignReply says what was assigned.
type AssignReply struct {
	Space    string `json:"space"`           // of the project; main is none
	Assigned int    `json:"assigned"`        // records, with the words that they are made of
	Claim    string `json:"claim,omitempty"` // ref of the mark, the first of several; none if it was so already
	Hint     string `json:"hint,omitempty"`
}
