package api

// WitnessRequest is somebody's word about another's memory.
type WitnessRequest struct {
	Ref         string `json:"ref"`
	Attestation string `json:"attestation" jsonschema:"confirm, dispute or partial"`
	Notes       string `json:"notes,omitempty"`
}

// WitnessReply is the memory as it stands after a witness spoke.
type WitnessReply struct {
	Claim string     `json:"claim"` // ref of the witness record
	Hint  string     `json:"hint,omitempty"`
	Trust TrustReply `json:"trust"`

	Redacted []Redaction `json:"redacted,omitempty"` // secrets that were taken out of the notes
}
