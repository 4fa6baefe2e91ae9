package api

// AskRequest asks somebody for a word about a memory.
type AskRequest struct {
	Ref string `json:"ref"`
	To  string `json:"to" jsonschema:"the witness: a did:key, an OpenSSH .pub line or a name; or a list"`
	// Also are further persons. Each gets a request of their own, and one file holds all.
	Also    []string `json:"also,omitempty" jsonschema:"further persons who are asked"`
	Expires string   `json:"expires,omitempty" jsonschema:"end of the request: a time, or how long; default two weeks"`
	Via     string   `json:"via,omitempty" jsonschema:"the hub that carries it; empty returns it"`
}

// AskReply is a request to be handed over.
type AskReply struct {
	Request string `json:"request"` // its id, which the answer names
	Ref     string `json:"ref"`
	To      string `json:"to"`
	Expires string `json:"expires"`
	Bundle  string `json:"bundle"`        // a file's text: the memory, its keys and the request, or all of them
	Via     string `json:"via,omitempty"` // the remote that carries it

	Others []AskedOther `json:"others,omitempty"` // further persons who are asked
}

// AskedOther is the request to a further person.
type AskedOther struct {
	Request string `json:"request"`
	To      string `json:"to"`
}

// AnswerRequest answers a request.
type AnswerRequest struct {
	Bundle      string `json:"bundle,omitempty" jsonschema:"the text of the file that was handed over"`
	Letter      string `json:"letter,omitempty" jsonschema:"with via: the ID of a request there, or a prefix"`
	Via         string `json:"via,omitempty" jsonschema:"the hub that has the request and takes the answer"`
	Attestation string `json:"attestation,omitempty" jsonschema:"confirm, dispute or partial; empty only shows it"`
	Notes       string `json:"notes,omitempty"`
}

// AnswerReply is what was asked, and the answer to be handed back.
type AnswerReply struct {
	Request string `json:"request"`
	From    string `json:"from"`
	Name    string `json:"name,omitempty"`
	Expires string `json:"expires"`
	Memory  Memory `json:"memory"`           // what is to be witnessed
	Claim   string `json:"claim,omitempty"`  // ref of the witness record
	Bundle  string `json:"bundle,omitempty"` // a file's text: the answer and its keys; 'import' takes it in

	Redacted []Redaction `json:"redacted,omitempty"` // secrets that were taken out of the notes
}
