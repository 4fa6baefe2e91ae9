package api

// RecallRequest asks what is known: about a question or a task, or without one what an agent
// should know when its work begins.
type RecallRequest struct {
	Query  string `json:"query,omitempty" jsonschema:"a question or a task; empty: what to know when work begins"`
	Budget int    `json:"budget,omitempty" jsonschema:"tokens that the answer may take, 100 to 50000; 0 is 1000"`
	Limit  int    `json:"limit,omitempty" jsonschema:"results; 0 is 5, at most 1000"`
	Kind   string `json:"kind,omitempty" jsonschema:"one kind, or several with commas"`
	Since  string `json:"since,omitempty" jsonschema:"only what happened or was recorded since"`
	AsOf   string `json:"as_of,omitempty" jsonschema:"as it was known at this time"`
	All    bool   `json:"all,omitempty" jsonschema:"superseded, rejected and forgotten ones too"`
}

// RecallReply is what is known, best first.
type RecallReply struct {
	Query    string   `json:"query,omitempty"`
	AsOf     string   `json:"as_of,omitempty"`
	Budget   int      `json:"budget"`
	Receipt  string   `json:"receipt,omitempty"` // under which this answer can be looked up
	Warnings []string `json:"warnings,omitempty"`
	// Gathered says how a question was answered that wants everything there is of something; its results are grouped
	Gathered *Gathered  `json:"gathered,omitempty"`
	Results  []Recalled `json:"results"`
	Left     int        `json:"left_out,omitempty"` // found, and over the budget
	// Always are constraints that bind whatever the question is, and are not among the results.
	Always []Recalled `json:"constraints,omitempty"`
	Start  string     `json:"start,omitempty"` // without a question: the pack that work begins with
}

// Recalled is one memory that answers, and the state of the code that it names.
type Recalled struct {
	Result
	Code string `json:"code,omitempty"` // stale, needs_review or unknown: it changed, or cannot be read here
}
