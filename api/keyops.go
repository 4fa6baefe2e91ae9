package api

// KeyRequest names a key, and what to do with it.
type KeyRequest struct {
	Key     string   `json:"key,omitempty" jsonschema:"a did:key, a line of an OpenSSH .pub file, or a name"`
	Name    string   `json:"name,omitempty"`
	Agent   bool     `json:"agent,omitempty" jsonschema:"use the agent's key, not the owner's"`
	Reason  string   `json:"reason,omitempty" jsonschema:"for a revocation: superseded, lost or compromised"`
	Since   string   `json:"since,omitempty" jsonschema:"for a compromised key: since when its records have no effect"`
	Origins []string `json:"origins,omitempty" jsonschema:"channels of a delegated key; default: agent and tool"`
	Scope   string   `json:"scope,omitempty"`
	Expires string   `json:"expires,omitempty" jsonschema:"a time, or how long from now such as 24h"`
	Destroy bool     `json:"destroy,omitempty" jsonschema:"for a rotation: delete the old private key"`
}

// KeyReply is what became of a key.
type KeyReply struct {
	KeyInfo
	Claim  string   `json:"claim,omitempty"`
	Claims []string `json:"claims,omitempty"`
	Phrase string   `json:"phrase,omitempty"` // of a recovery key: shown once, kept nowhere
	File   string   `json:"file,omitempty"`   // where a private key is
	Public string   `json:"public,omitempty"` // as a line of OpenSSH
	Hint   string   `json:"hint,omitempty"`
	// Wrote is what a compromised key wrote since it was compromised, at most a thousand; WroteMore is that there is
	// more. Nothing of it counts.
	Wrote     []string `json:"wrote,omitempty"`
	WroteMore bool     `json:"wrote_more,omitempty"`
}
