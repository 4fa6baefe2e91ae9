package api

// UndoRequest asks for the last act to be taken back, for an update that applied by itself, or for a prompt that was
// not kept.
type UndoRequest struct {
	// Ref is the link of such an update, or a memory that it replaced or put in its place; or such a prompt.
	Ref    string `json:"ref,omitempty" jsonschema:"the link of an update that applied by itself"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"show what would be undone, and store nothing"`
	Reason string `json:"reason,omitempty"`
}

// UndoReply is what was taken back, and how.
type UndoReply struct {
	Undone []string `json:"undone"`         // refs of the records that were the act
	Claims []string `json:"claims"`         // refs of what says so
	Act    string   `json:"act"`            // in words: "forget of 3 records"
	Did    string   `json:"did"`            // in words, what was done about it
	Of     []string `json:"of"`             // refs of the memories that are otherwise now
	Hint   string   `json:"hint,omitempty"` // what it could not bring back
	DryRun bool     `json:"dry_run,omitempty"`
}
