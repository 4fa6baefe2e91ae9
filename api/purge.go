package api

// PurgeRequest names records whose words must go for good.
type PurgeRequest struct {
	Refs   []string `json:"refs"`
	Reason string   `json:"reason,omitempty" jsonschema:"stored and shown: do not repeat the purged words"`
	DryRun bool     `json:"dry_run,omitempty"`
}

// PurgeReply is what is gone.
type PurgeReply struct {
	Claim   string     `json:"claim,omitempty"` // ref of the mark that says so, the first where they are of several spaces
	Purged  []string   `json:"purged"`
	Goes    []Affected `json:"goes,omitempty"` // in a dry run: what would go
	Repeats []Affected `json:"rests_on_them"`  // what was derived from them, and may repeat their words
}
