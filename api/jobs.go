package api

// JobsReply is work that was left for later, the oldest first.
type JobsReply struct {
	Jobs []JobInfo `json:"jobs"`
	Open int       `json:"open"` // in all
	More bool      `json:"more,omitempty"`
}

// JobInfo is one job.
type JobInfo struct {
	Key   string `json:"key"`
	Task  string `json:"task"`
	State string `json:"state"` // waiting, running, done or gave_up
	Space string `json:"space"`
	Made  string `json:"made"`
	Due   string `json:"due,omitempty"` // where that is later
	Tries int    `json:"tries,omitempty"`
	Note  string `json:"note,omitempty"` // what it came to, or the last error
}

// RunJobsRequest does what was left for later.
type RunJobsRequest struct {
	Limit int  `json:"limit,omitempty" jsonschema:"how many at most; 0 is all"`
	Now   bool `json:"now,omitempty" jsonschema:"those that wait for another try too"`

	// Progress, where it is not nil, is called with how many jobs were done so far.
	Progress func(done int) `json:"-"`
}

// RunJobsReply says what was done.
type RunJobsReply struct {
	Done     int      `json:"done"`
	Memories int      `json:"memories"` // drafted
	Links    int      `json:"links"`    // found
	GaveUp   int      `json:"gave_up,omitempty"`
	Later    int      `json:"later,omitempty"` // to be tried again
	Open     int      `json:"open"`            // still to be done
	Notes    []string `json:"notes,omitempty"` // each once

	SaidAgain      int         `json:"said_again,omitempty"`      // drafts that a memory says already
	RejectedBefore []Rejection `json:"rejected_before,omitempty"` // drafts that say, or nearly say, what a person rejected
}
