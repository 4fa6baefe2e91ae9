package api

// A Rejection is a memory that a person rejected or quarantined, as it is shown to somebody who says
// the same words again, and to who decides on such a memory.
type Rejection struct {
	Ref         string `json:"ref"`
	Headline    string `json:"headline"`
	Text        string `json:"text,omitempty"` // all that it says, where the headline is not all
	At          string `json:"at,omitempty"`   // when it was said or happened
	RejectedAt  string `json:"rejected_at"`
	RejectedBy  string `json:"rejected_by"` // "you", a name, or a key
	Reason      string `json:"reason,omitempty"`
	Quarantined bool   `json:"quarantined,omitempty"` // and not rejected
	Raw         string `json:"raw,omitempty"`         // the words that were kept, and marked
	Alike       bool   `json:"alike,omitempty"`       // the words are merely alike: a memory was made of them
}
