package api

// Judging is a new memory and the older ones that the caller is asked to compare it
// with.
type Judging struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Text     string `json:"text,omitempty"` // all that it says, where the headline is not all
	// Candidates are the older memories; a judgement names one by its number.
	Candidates []JudgeCandidate `json:"candidates"`
}

// JudgeCandidate is an older memory that a new one is compared with.
type JudgeCandidate struct {
	Number    int    `json:"number"`
	Ref       string `json:"ref"`
	Headline  string `json:"headline"`
	Text      string `json:"text,omitempty"`
	At        string `json:"at,omitempty"` // when it was said or happened
	CreatedAt string `json:"created_at"`
}

// JudgeRequest is the caller's answer to what a remember gave back to be judged.
type JudgeRequest struct {
	Ref        string   `json:"ref" jsonschema:"the new memory"`
	Relation   string   `json:"relation" jsonschema:"none, update, extend, derive or contradict"`
	Candidate  int      `json:"candidate,omitempty" jsonschema:"the number of the older memory, not with none"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"0 to 1; left out is 0.5"`
	Reason     string   `json:"reason,omitempty" jsonschema:"one short sentence"`
}

// JudgeReply is the link that came of it, if any did.
type JudgeReply struct {
	Ref  string    `json:"ref"`
	Link *LinkView `json:"link,omitempty"`
}
