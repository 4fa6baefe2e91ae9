package api

// CaptureRequest is words as they were said, kept byte for byte.
type CaptureRequest struct {
	Text       string `json:"text,omitempty" jsonschema:"the words, at most 1 MiB"`
	Blob       []byte `json:"blob,omitempty" jsonschema:"bytes instead of text, in base64"`
	Source     string `json:"source,omitempty" jsonschema:"cli, mcp, hook, import or api"`
	Event      string `json:"event,omitempty" jsonschema:"turn, user_prompt, tool_call, …"`
	Speaker    string `json:"speaker,omitempty"`
	Caption    string `json:"caption,omitempty"`
	OccurredAt string `json:"occurred_at,omitempty"`
	Meta
}

// WriteReply names what a write stored.
type WriteReply struct {
	Ref             string   `json:"ref"` // in full
	Type            string   `json:"type"`
	ID              string   `json:"id"`
	Headline        string   `json:"headline"`
	CreatedAt       string   `json:"created_at"`
	DerivedFrom     []string `json:"derived_from,omitempty"`
	ConsolidationID string   `json:"consolidation_id,omitempty"` // of a consolidation; the same for all it made
	Superseded      []string `json:"superseded,omitempty"`       // what it replaced
	Stays           []string `json:"stays,omitempty"`            // memories of what else that said, if replaced in part
	CodeRefs        []string `json:"code_refs,omitempty"`        // pinned to the bytes they have now
	Link            string   `json:"link,omitempty"`             // the proposal made instead, where it may not replace
	Existing        bool     `json:"existing,omitempty"`         // it was there already; nothing was stored
	Hint            string   `json:"hint,omitempty"`             // what the author may want to know

	Redacted []Redaction `json:"redacted,omitempty"` // secrets that were taken out

	// a memory of these words that a person rejected: no memory was made, unless it is merely alike
	Rejected *Rejection `json:"rejected,omitempty"`
}
