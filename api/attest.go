package api

import "github.com/stemma-memory/stemma/audit/report"

// AttestRequest asks on what a change rests.
type AttestRequest struct {
	Range    string `json:"range" jsonschema:"a git range such as main..HEAD, or one commit"`
	Words    bool   `json:"words,omitempty" jsonschema:"also what memories and prompts say, and people's names"`
	Unsigned bool   `json:"unsigned,omitempty" jsonschema:"only show it; a signature is a person's"`
	Comment  bool   `json:"comment,omitempty" jsonschema:"also as Markdown for a comment on a pull request"`
}

// AttestReply has the attestation.
type AttestReply struct {
	// Envelope is it as a signed text, a DSSE envelope; "" where it is not signed.
	Envelope string                `json:"envelope,omitempty"`
	Change   report.AttestedChange `json:"change"` // what it says
	Comment  string                `json:"comment,omitempty"`
}

// AttestationCheck is what an attestation says, and whether it checks.
type AttestationCheck struct {
	Change  report.AttestedChange `json:"change"`
	Checks  bool                  `json:"checks"`
	Why     string                `json:"why,omitempty"`    // why not, or what could not be checked
	Signer  string                `json:"signer,omitempty"` // you, or the name of who signed it
	Commits int                   `json:"commits"`          // found in the repository here
	Held    int                   `json:"held"`             // memories that the store here has as it says
	Comment string                `json:"comment,omitempty"`
}
