package api

// TraceRequest asks where a record came from and what came of it.
type TraceRequest struct {
	Ref       string `json:"ref" jsonschema:"kind:id, or the first digits of the id"`
	Direction string `json:"direction,omitempty" jsonschema:"both, backward or forward"`
	Depth     *int   `json:"depth,omitempty" jsonschema:"levels to show; 0 is all, left out is 3"`
	After     int    `json:"after,omitempty" jsonschema:"the continuation that the last reply named"`
}

// TraceReply is a family tree.
type TraceReply struct {
	Memory *Node `json:"memory"`
	// Backward is where the record came from.
	Backward *Backward `json:"backward,omitempty"`
	// Forward is what came of the record.
	Forward *Forward `json:"forward,omitempty"`
	// Links are how the record relates to others, which is no lineage.
	Links  []LinkView `json:"links,omitempty"`
	Deeper bool       `json:"deeper,omitempty"` // there are more levels than were asked for
	Next   int        `json:"next,omitempty"`   // ask again with after set to this for more
}

// Backward is where a record came from.
type Backward struct {
	SourceType string  `json:"source_type"`
	CreatedAt  string  `json:"created_at"`
	Sources    []*Node `json:"sources"`
}

// Forward is what came of a record.
type Forward struct {
	Derived []*Node `json:"derived"`
}

// A Node is one record in a tree. A record that appeared earlier in the tree is
// given by its ref alone, as Seen.
type Node struct {
	Type       string   `json:"type"`
	ID         string   `json:"id"`
	Blob       string   `json:"blob,omitempty"`      // the words of a raw
	Title      string   `json:"title,omitempty"`     // of an episode, a goal, …
	Statement  string   `json:"statement,omitempty"` // of a belief
	Content    string   `json:"content,omitempty"`   // of a note
	Text       string   `json:"text,omitempty"`      // all that it says, where those are not all
	Confidence float64  `json:"confidence,omitempty"`
	Tier       string   `json:"tier,omitempty"`
	SourceType string   `json:"source_type,omitempty"`
	Source     string   `json:"source,omitempty"` // of a raw: the channel
	Speaker    string   `json:"speaker,omitempty"`
	By         string   `json:"by,omitempty"` // who wrote it, where another person did
	At         string   `json:"at,omitempty"` // when it was said or happened
	CreatedAt  string   `json:"created_at,omitempty"`
	CapturedAt string   `json:"captured_at,omitempty"` // of a raw
	OccurredAt string   `json:"occurred_at,omitempty"` // of a raw, when that was another time
	Seen       bool     `json:"seen,omitempty"`        // shown in full elsewhere
	Missing    bool     `json:"missing,omitempty"`     // cited, but not held here
	Hidden     string   `json:"hidden,omitempty"`      // superseded, forgotten, purged, …
	Marks      []string `json:"marks,omitempty"`       // what a reader must know beside the words
	Disputed   bool     `json:"disputed,omitempty"`    // by a witness who counts, or by its own author
	Doubt      string   `json:"doubt,omitempty"`       // forged, or withheld: something said of it is missing
	Reason     string   `json:"reason,omitempty"`      // why it was hidden
	Inferred   bool     `json:"inferred,omitempty"`    // a person said so later: no signed lineage has it
	SaidIn     bool     `json:"said_in,omitempty"`     // a turn that an agent's words come from: no lineage
	Of         string   `json:"of,omitempty"`          // in a continuation: what it hangs under
	Course
	Sources []*Node `json:"sources,omitempty"`
	Derived []*Node `json:"derived,omitempty"`

	Links int  `json:"-"` // that speak of it
	Ends  bool `json:"-"` // an agent wrote it, and lineage goes no further
}
