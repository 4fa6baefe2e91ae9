package api

// GoalStatusRequest says what became of a goal.
type GoalStatusRequest struct {
	Ref    string `json:"ref"`
	Status string `json:"status" jsonschema:"active, achieved, abandoned or paused"`
	Reason string `json:"reason,omitempty"`
}

// GoalProgressRequest says how far a goal is.
type GoalProgressRequest struct {
	Ref      string `json:"ref"`
	Progress string `json:"progress" jsonschema:"in words, or as 40%"`
	Reason   string `json:"reason,omitempty"`
}

// MarkReply is a memory after something was said of it.
type MarkReply struct {
	Claim  string `json:"claim,omitempty"` // ref of the mark; none if it was so already
	Memory Memory `json:"memory"`
}
