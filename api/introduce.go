package api

// IntroduceRequest says that a key is somebody's whom one knows.
type IntroduceRequest struct {
	Key  string `json:"key" jsonschema:"a did:key, or a line of an OpenSSH .pub file"`
	Name string `json:"name,omitempty" jsonschema:"the name of the key's owner"`
}

// IntroduceReply is the key as it is known now.
type IntroduceReply struct {
	Claim       string `json:"claim"`
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
	Name        string `json:"name,omitempty"`
}

// DistrustRequest takes back that a key is believed.
type DistrustRequest struct {
	Key        string `json:"key" jsonschema:"a did:key, a line of an OpenSSH .pub file, or the name it was introduced by"`
	Since      string `json:"since,omitempty" jsonschema:"when somebody else got the key: a time, or an age such as 24h"`
	Quarantine bool   `json:"quarantine,omitempty" jsonschema:"hide what it wrote since then and what rests on it"`
	Reason     string `json:"reason,omitempty"`
	DryRun     bool   `json:"dry_run,omitempty"`
}

// DistrustReply is what became of a key.
type DistrustReply struct {
	Key         string           `json:"key"`
	Fingerprint string           `json:"fingerprint"`
	Name        string           `json:"name,omitempty"`
	Claims      []string         `json:"claims"`
	Since       string           `json:"since,omitempty"`
	WroteSince  int              `json:"wrote_since"` // records of the key that came since
	Quarantine  *QuarantineReply `json:"quarantine,omitempty"`
}
