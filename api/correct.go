package api

// CorrectRequest says that a memory is not as it is remembered.
type CorrectRequest struct {
	Ref  string `json:"ref" jsonschema:"the memory"`
	Text string `json:"text,omitempty" jsonschema:"what is so instead"`
	By   string `json:"by,omitempty" jsonschema:"the memory that says what is so instead"`
	Is   string `json:"is,omitempty" jsonschema:"wrong: it was never so; over: it was so until now"`
	Why  string `json:"why,omitempty" jsonschema:"the reason, one or two sentences"`

	Source string `json:"source,omitempty"`
}

// CorrectReply says what came of it. Ref is the record that was written.
type CorrectReply struct {
	WriteReply
	// Done is replaced, ended, forgotten or rejected, or replaced in part where the older memory says other things too;
	// proposed or disputed where a person decides.
	Done string `json:"done"`
	Of   string `json:"of"` // the memory that was corrected
}
