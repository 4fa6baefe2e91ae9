package api

// RecallRequest asks what is known: about a question or a task, or without one what an agent
// should know when its work begins.
type RecallRequest struct {
	Query   string   `json:"query,omitempty" jsonschema:"a question or a task; empty: what to know when work begins"`
	Budget  int      `json:"budget,omitempty" jsonschema:"tokens that the answer may take, 100 to 50000; 0 is 1000"`
	Limit   int      `json:"limit,omitempty" jsonschema:"results; 0: as many as the budget holds"`
	Kind    string   `json:"kind,omitempty" jsonschema:"one kind, or several with commas"`
	Since   string   `json:"since,omitempty" jsonschema:"only what happened or was recorded since"`
	AsOf    string   `json:"as_of,omitempty" jsonschema:"as it was known at this time"`
	All     bool     `json:"all,omitempty" jsonschema:"superseded, rejected and forgotten ones too"`
	Without []string `json:"without,omitempty" jsonschema:"also as if never heard: refs, source:NAME, author:NAME"`
	Proofs  bool     `json:"proofs,omitempty" jsonschema:"with what proves each entry offline; not counted in the budget"`
	// Form says which form of the answer the budget counts. Each face sets its own.
	Form string `json:"form,omitempty" jsonschema:"what the budget counts: full, short or text; empty is full"`
}

// The forms of an answer.
const (
	FormFull  = "full"  // JSON with everything, as the command line prints it
	FormShort = "short" // what a model is given over MCP
	FormText  = "text"  // lines for a terminal
)

// RecallReply is what is known, best first.
type RecallReply struct {
	Query    string   `json:"query,omitempty"`
	AsOf     string   `json:"as_of,omitempty"`
	Budget   int      `json:"budget"`
	Receipt  string   `json:"receipt,omitempty"` // under which this answer can be looked up
	Warnings []string `json:"warnings,omitempty"`
	// Gathered says how a question was answered that wants everything there is of something; its results are grouped
	Gathered *Gathered `json:"gathered,omitempty"`
	// Note says that nothing bears on the question, where that is so
	Note    string     `json:"note,omitempty"`
	Results []Recalled `json:"results"`
	LeftOut int        `json:"left_out,omitempty"` // found, and over the budget
	// Constraints are those that bind whatever the question is, and are not among the results.
	Constraints []Recalled `json:"constraints,omitempty"`
	Start       string     `json:"start,omitempty"` // without a question: the pack that work begins with
	// Without is the answer as it would be, where the request asks.
	Without *RecallWithout `json:"without,omitempty"`
	// Proofs have each record, key, decision, place and checkpoint once: lines of a bundle, gzipped, in base64.
	Proofs string `json:"proofs,omitempty"`
}

// Recalled is one memory that answers, with all that it says as far as the budget holds it, and the state of the
// code that it names.
type Recalled struct {
	Result
	Before []Turn `json:"before,omitempty"` // what was said before it in the conversation, in order
	After  []Turn `json:"after,omitempty"`  // and after it

	Code string `json:"code,omitempty"` // stale, needs_review or unknown: it changed, or cannot be read here

	Proof *EntryProof `json:"proof,omitempty"`
}

// A Turn is what else was said in a conversation of which one turn answers.
type Turn struct {
	Ref   string   `json:"ref"`
	By    string   `json:"by,omitempty"`
	Text  string   `json:"text"`
	Cut   bool     `json:"cut,omitempty"`
	Words int      `json:"words,omitempty"`
	Gap   bool     `json:"gap,omitempty"` // something was said between it and the one before
	Marks []string `json:"marks,omitempty"`

	Proof *EntryProof `json:"proof,omitempty"`
}
