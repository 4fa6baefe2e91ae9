package api

// IdentityReply is what memories say of who we are. Every line of it is a memory
// that can be traced; nothing is concluded here.
type IdentityReply struct {
	Values  []IdentityMemory `json:"values"`  // by priority
	Goals   []IdentityMemory `json:"goals"`   // those that are active, by priority
	Drives  []IdentityMemory `json:"drives"`  // by intensity, as it is now
	Beliefs []IdentityMemory `json:"beliefs"` // the strongest: confidence times what the tier is worth
	More    bool             `json:"more,omitempty"`
}

// IdentityMemory is a memory with how much stands behind it.
type IdentityMemory struct {
	Memory
	SourceCount   int `json:"source_count"`            // what it was derived from directly
	EvidenceCount int `json:"evidence_count"`          // sources, and what it names as evidence
	Confirmations int `json:"confirmations,omitempty"` // by witnesses
	Disputes      int `json:"disputes,omitempty"`
}
