package api

// SynthesizeRequest asks what memories show together.
type SynthesizeRequest struct {
	What    string `json:"what,omitempty" jsonschema:"beliefs (of episodes) or identity (of beliefs, the default)"`
	Session string `json:"session,omitempty" jsonschema:"only of this conversation"`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many of the newest are read; 0 is 1000, -1 is all"`
}

// SynthesizeReply is what was proposed. A person decides about each.
type SynthesizeReply struct {
	What           string     `json:"what"`
	LookedAt       int        `json:"looked_at"` // episodes or beliefs
	Memories       []Memory   `json:"memories"`  // proposed now
	ProposedBefore int        `json:"proposed_before,omitempty"`
	Links          []LinkView `json:"links,omitempty"` // how they relate to older memories
	Notes          []string   `json:"notes,omitempty"`
}
