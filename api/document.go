package api

// DocumentsRequest says what to write as documents of the Memory Provenance Schema.
// The zero one is all notes and beliefs.
type DocumentsRequest struct {
	Refs []string `json:"refs,omitempty" jsonschema:"memories of any kind, in this order; none is all notes and beliefs"`
}

// DocumentsReply counts what was written.
type DocumentsReply struct {
	Documents int `json:"documents"`
	LeftOut   int `json:"left_out"` // forgotten, rejected or quarantined, and not named

	Secrets map[string]int `json:"secrets,omitempty"` // memories in which some stand, by rule: they leave with them
}
