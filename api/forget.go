package api

// ForgetRequest names memories to forget, protect or bring back.
type ForgetRequest struct {
	Refs   []string `json:"refs"`
	Reason string   `json:"reason,omitempty"`
}

// ForgetReply is the memories after it.
type ForgetReply struct {
	// ref of the mark, the first where they are of several spaces; none if it was so already
	Claim    string   `json:"claim,omitempty"`
	Memories []Memory `json:"memories"`
	Hint     string   `json:"hint,omitempty"`
}
