package api

// ConflictsReply is the open links of the relations update and contradict, the oldest
// first, and the memories that two said again without knowing of each other.
type ConflictsReply struct {
	Conflicts []LinkView `json:"conflicts"`
	Forks     []ForkView `json:"forks,omitempty"` // memories with revisions beside each other
	More      bool       `json:"more,omitempty"`
}

// ResolveRequest decides about a link: what holds of the two memories it ties.
type ResolveRequest struct {
	Ref     string `json:"ref" jsonschema:"the link, or a memory with revisions beside it"`
	Keep    string `json:"keep,omitempty" jsonschema:"old, new or both"`
	Merge   string `json:"merge,omitempty" jsonschema:"words that take the place of both"`
	Dismiss bool   `json:"dismiss,omitempty" jsonschema:"they have nothing to do with each other"`
	Reason  string `json:"reason,omitempty"`
}

// ResolveReply is the link after the decision.
type ResolveReply struct {
	Claim  string      `json:"claim,omitempty"`  // ref of what was written
	Memory *WriteReply `json:"memory,omitempty"` // of a merge
	Link   LinkView    `json:"link"`
}
