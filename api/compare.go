package api

// CompareRequest asks that a memory is compared with older ones.
type CompareRequest struct {
	Ref  string `json:"ref"`
	Wait bool   `json:"wait,omitempty" jsonschema:"answer when it was compared"`

	With []string `json:"with,omitempty" jsonschema:"at most 10 older ones"`
}

// CompareReply is the links that came of it so far.
type CompareReply struct {
	Ref   string     `json:"ref"`
	Links []LinkView `json:"links"`
	Jobs  []string   `json:"jobs,omitempty"` // still to be done
	Notes []string   `json:"notes,omitempty"`
}
