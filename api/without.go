package api

// Unheard is what an answer leaves out, as if it had never been heard: what a quarantine would hide.
type Unheard struct {
	Targets []string `json:"targets"` // as they were understood
	Hidden  int      `json:"hidden"`  // records that would not count: these, and what rests on them alone
	Hint    string   `json:"hint,omitempty"`
}

// RecallWithout is an answer as it would be, and what differs from today's.
type RecallWithout struct {
	Unheard
	Differs []Difference `json:"differs"` // empty: nothing
	Answer  RecallReply  `json:"answer"`
}

// Difference is one memory, or one line of a start, that two answers do not have alike.
type Difference struct {
	What string `json:"what"` // gone, new or changed
	Ref  string `json:"ref,omitempty"`
	Text string `json:"text"`
	Was  string `json:"was,omitempty"` // of a changed one: how it stands today
	Is   string `json:"is,omitempty"`  // and how it would
}

// The kinds of differences.
const (
	DifferGone    = "gone"
	DifferNew     = "new"
	DifferChanged = "changed"
)

// WhyWithout is what would be said of a memory.
type WhyWithout struct {
	Unheard
	Falls   bool         `json:"falls"` // it would count no more: nothing else supports it
	Differs []Difference `json:"differs"`
	Answer  WhyReply     `json:"answer"`
}
