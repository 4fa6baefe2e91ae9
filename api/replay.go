package api

// ReplayReply says what the same question gives now, and how that differs.
type ReplayReply struct {
	Receipt Receipt       `json:"receipt"`
	Now     []Receipted   `json:"now"`
	Changes []Replacement `json:"changes"` // none: the same answer
}

// A Replacement is one way in which two answers differ.
type Replacement struct {
	Ref    string `json:"ref"`
	Text   string `json:"text"`
	Was    int    `json:"was,omitempty"` // the rank then; 0 is not there
	Is     int    `json:"is,omitempty"`  // the rank now
	Reason string `json:"reason"`
}
