package api

// LinkView is a link as replies show it, readable from both ends.
type LinkView struct {
	Ref        string  `json:"ref"`
	Relation   string  `json:"relation"`
	Old        LinkEnd `json:"old"` // the source: the older
	New        LinkEnd `json:"new"`
	Reason     string  `json:"reason,omitempty"`
	Confidence float64 `json:"confidence"`
	Detector   string  `json:"detector,omitempty"`
	Model      string  `json:"model,omitempty"`
	// open: a person is asked; proposed: undecided, and no decision is needed; applied: without a person
	State     string `json:"state"`           // open, proposed, standing, accepted, applied, rejected, let_go or over
	For       string `json:"for,omitempty"`   // agent: undecided, and an agent may settle it by itself
	Ended     string `json:"ended,omitempty"` // why it was let go
	CreatedAt string `json:"created_at"`
	OneByOne  bool   `json:"one_by_one,omitempty"` // in lists of conflicts: no decision about several covers it

	Decisions []Decision `json:"decisions,omitempty"` // in lists of conflicts: who decided about it, and why
}

// LinkEnd is one of the two memories.
type LinkEnd struct {
	Ref       string `json:"ref"`
	Headline  string `json:"headline"`
	Text      string `json:"text,omitempty"`    // all that it says, where the headline is not all
	Speaker   string `json:"speaker,omitempty"` // who said the words
	By        string `json:"by,omitempty"`      // who wrote it, where another person did
	At        string `json:"at,omitempty"`      // when it was said or happened
	CreatedAt string `json:"created_at,omitempty"`
	Hidden    string `json:"hidden,omitempty"`
	// what a reader must know of it, in lists of what is undecided
	Marks []string `json:"marks,omitempty"`
	Was   string   `json:"was,omitempty"` // the revision that the link was made of, where it is not the current one
}
