package api

// CheckRequest asks whether the code that memories speak of is what it was.
type CheckRequest struct {
	Refs        []string `json:"refs,omitempty" jsonschema:"only these memories; none is all that name code"`
	All         bool     `json:"all,omitempty" jsonschema:"show those that are verified too"`
	Uncommitted bool     `json:"uncommitted,omitempty" jsonschema:"compare code with the working tree"`
}

// CheckReply says how memories stand, those that need a look first.
type CheckReply struct {
	Root        string         `json:"root"`            // of the repository
	Plain       string         `json:"plain,omitempty"` // why the files alone decided, without git
	Uncommitted bool           `json:"uncommitted,omitempty"`
	Checked     int            `json:"checked"` // memories
	Refs        int            `json:"refs"`    // code refs
	Counts      map[string]int `json:"counts"`  // memories by state
	Memories    []Checked      `json:"memories"`
}

// Checked is how one memory stands.
type Checked struct {
	Ref             string       `json:"ref"`
	Type            string       `json:"type"`
	Subtype         string       `json:"subtype,omitempty"` // the type within its kind
	Headline        string       `json:"headline"`
	Text            string       `json:"text,omitempty"` // all that it says, where the headline is not all
	At              string       `json:"at,omitempty"`   // when it was said or happened
	Tier            string       `json:"tier,omitempty"`
	State           string       `json:"state"` // verified, needs_review, stale or unknown
	Reasons         []string     `json:"reasons,omitempty"`
	Files           []CheckedRef `json:"files"`
	VerifiedByAgent bool         `json:"verified_by_agent,omitempty"` // the last to verify was an agent
	LastVerified    string       `json:"last_verified,omitempty"`
	Store           string       `json:"store,omitempty"`
}

// CheckedRef is how one code ref stands.
type CheckedRef struct {
	Ref    string `json:"ref"` // as it was pinned
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	Commit string `json:"commit,omitempty"` // that changed it; "" if that was not found
	Now    string `json:"now,omitempty"`    // where it is now, if elsewhere
}
