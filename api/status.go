package api

// StatusReply is one page of how the memory stands. Counts by kind are of the whole
// store; the rest is of the spaces that are read.
type StatusReply struct {
	Records           int         `json:"records"`
	Memories          []KindCount `json:"memories"`
	UnprocessedRaws   int         `json:"unprocessed_raws"`
	OpenJobs          int         `json:"open_jobs"`
	PendingReviews    Counted     `json:"pending_reviews"`    // memories that wait for a person
	OpenConflicts     Counted     `json:"open_conflicts"`     // links that ask for a decision
	NeedsVerification Counted     `json:"needs_verification"` // what names code and was not verified for 90 days, or never
	Uncertain         Counted     `json:"uncertain"`          // confidence below 0.5
	PromptsWaiting    Counted     `json:"prompts_waiting"`    // prompts of the user that are not memories yet
	PromptsNotKept    Counted     `json:"prompts_not_kept"`   // prompts that were settled as not worth keeping
	HeldBack          Counted     `json:"held_back"`          // memories that wait because of outside words
	LastCapture       string      `json:"last_capture,omitempty"`
	Embedder          string      `json:"embedder,omitempty"` // the model that makes vectors
	WithoutVector     int         `json:"without_vector"`     // records that it has not seen
	// how many proposals wait for_agent and for_person, and how many of them were decided and let_go
	Proposals map[string]int `json:"proposals"`
	Encrypted bool           `json:"encrypted,omitempty"` // the store's file is
	Remotes   []Remote       `json:"remotes,omitempty"`   // with how exchanges with them went
}

// Counted is how many there are. Who counts stops where more would tell no one more.
type Counted struct {
	Count int    `json:"count"`
	More  bool   `json:"more,omitempty"`  // there are at least so many
	Since string `json:"since,omitempty"` // of prompts: when the oldest was said
}
