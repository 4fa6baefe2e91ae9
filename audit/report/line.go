package report

// A Line is one statement of a bundle with its words. They are there only where the signature holds and the key had the
// right to sign.
type Line struct {
	Line   int    `json:"line"` // of the bundle, from 1; 0 of what is in a store
	Ref    string `json:"ref"`
	Status Status `json:"status"`
	Words  string `json:"words,omitempty"`
	Why    string `json:"why,omitempty"` // of a decision: the reason that was given
	At     string `json:"at,omitempty"`
	Author string `json:"author,omitempty"` // did:key that signed
	Owner  string `json:"owner,omitempty"`  // did:key at the beginning of the history of who stands behind it
	Agent  string `json:"agent,omitempty"`  // the agent that acted for the owner

	Speaker string   `json:"speaker,omitempty"` // who said it, as the record has it
	Rests   []string `json:"rests,omitempty"`   // the records that it was made of
	Missing []string `json:"missing,omitempty"` // those of the records it names that are not here

	Decisions []Decided `json:"decisions,omitempty"` // about it, in the same bundle, the newest first
}

// Decided is what a statement of the bundle decides about another.
type Decided struct {
	Ref    string `json:"ref"`
	At     string `json:"at"`
	Act    string `json:"act"`
	Detail string `json:"detail,omitempty"`
	Author string `json:"author"`
	Owner  string `json:"owner,omitempty"`
	Agent  string `json:"agent,omitempty"`
	Why    string `json:"why,omitempty"`
}
