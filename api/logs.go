package api

// CheckpointRequest names a log.
type CheckpointRequest struct {
	Space string `json:"space,omitempty" jsonschema:"in full; empty is the space that is written to"`
}

// CheckpointReply says what a log is, signed.
type CheckpointReply struct {
	Space  string `json:"space"`
	Origin string `json:"origin"` // the name of this store's log of the space
	Size   int64  `json:"size"`
	Root   string `json:"root"` // base64
	Note   string `json:"note"` // to be kept elsewhere: what it says cannot be unsaid
}

// ProveRequest asks for a proof.
type ProveRequest struct {
	Ref   string `json:"ref,omitempty" jsonschema:"a record in the log"`
	Since string `json:"since,omitempty" jsonschema:"the text of an older checkpoint from which the log only grew"`
}

// ProveReply shows that a record is in the log, or that the log only grew.
type ProveReply struct {
	CheckpointReply
	Ref     string   `json:"ref,omitempty"`
	Index   int64    `json:"index"`              // of the record, from 0
	OldSize int64    `json:"old_size,omitempty"` // of the older checkpoint
	Hashes  []string `json:"hashes"`             // base64, as in RFC 6962
}

// CheckLogRequest is what somebody else holds of a log.
type CheckLogRequest struct {
	Held string `json:"held" jsonschema:"the text of a checkpoint, or of an export in the order of the log"`
	By   string `json:"by,omitempty" jsonschema:"who held it, to be remembered where it agrees"`
}

// CheckLogReply says whether the log is what somebody else remembers.
type CheckLogReply struct {
	Status string `json:"status"` // ok, history_rewritten or behind_witness
	Space  string `json:"space"`
	Size   int64  `json:"size"` // of the log here
	Seen   int64  `json:"seen"` // of the log as it is held elsewhere
	// Fork is where two histories part.
	Fork *LogFork `json:"fork,omitempty"`
	Why  string   `json:"why"`
}

// LogFork is where two histories of a log part.
type LogFork struct {
	After int64  `json:"after"`           // places up to this one agree
	By    int64  `json:"by"`              // at this place, or before, they differ
	Here  string `json:"here,omitempty"`  // the record at the first place that differs
	There string `json:"there,omitempty"` // what the other has there
}
