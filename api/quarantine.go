package api

// QuarantineRequest names what may be false.
type QuarantineRequest struct {
	Target string `json:"target" jsonschema:"a ref, author:KEY or source:NAME"`
	Reason string `json:"reason,omitempty"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"show what would be hidden, and hide nothing"`
}

// QuarantineReply is what was hidden, or brought back.
type QuarantineReply struct {
	Target   string     `json:"target"`
	Claims   []string   `json:"claims"`  // refs of the marks; all are stored, or none
	Count    int        `json:"count"`   // records hidden or brought back
	Records  []Affected `json:"records"` // the first thousand of them
	Survives []Affected `json:"survives,omitempty"`
	Hint     string     `json:"hint,omitempty"`
}
