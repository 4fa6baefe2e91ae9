package api

// ForgetListReply is what was forgotten, the newest memories first.
type ForgetListReply struct {
	Forgotten []Forgotten `json:"forgotten"`
	More      bool        `json:"more,omitempty"`
}

// Forgotten is a memory that was forgotten, with who did it and why.
type Forgotten struct {
	Memory
	Claim       string `json:"claim,omitempty"` // ref of the mark; 'recover' of it brings back all that it forgot
	ForgottenAt string `json:"forgotten_at,omitempty"`
	ForgottenBy string `json:"forgotten_by,omitempty"` // whose key
	Reason      string `json:"reason,omitempty"`
}
