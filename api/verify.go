package api

// VerifyRequest says that a memory still holds.
type VerifyRequest struct {
	Ref    string   `json:"ref"`
	Files  []string `json:"files,omitempty" jsonschema:"new code references, in place of the old ones"`
	Method string   `json:"method,omitempty" jsonschema:"how it was checked"`
	Notes  string   `json:"notes,omitempty"`
}

// VerifyReply is the memory as it stands after a verification.
type VerifyReply struct {
	Claim             string   `json:"claim"` // ref of the verification
	Ref               string   `json:"ref"`
	Headline          string   `json:"headline"`
	Tier              string   `json:"tier,omitempty"`
	Confidence        float64  `json:"confidence"`
	ConfidenceBefore  float64  `json:"confidence_before"`
	VerificationCount int      `json:"verification_count"`
	ByAgent           bool     `json:"by_agent,omitempty"`  // said by an agent, not by a person
	CodeRefs          []string `json:"code_refs,omitempty"` // pinned to the bytes they have now
	Missing           []string `json:"missing,omitempty"`   // what is not there for a better tier
}
