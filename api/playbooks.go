package api

// PlaybookFindRequest asks how something is done.
type PlaybookFindRequest struct {
	Situation string `json:"situation" jsonschema:"the task, or what went wrong"`
	Limit     int    `json:"limit,omitempty" jsonschema:"0 is 10, at most 1000"`
}

// PlaybookFindReply is the playbooks for it, the best first.
type PlaybookFindReply struct {
	Situation string          `json:"situation"`
	Receipt   string          `json:"receipt,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
	Playbooks []PlaybookFound `json:"playbooks"`
}

// PlaybookFound is a playbook with how often it helped.
type PlaybookFound struct {
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
	Memory
}

// PlaybookOutcomeRequest says how a playbook served.
type PlaybookOutcomeRequest struct {
	Ref     string `json:"ref"`
	Outcome string `json:"outcome" jsonschema:"success or failure"`
	Notes   string `json:"notes,omitempty"`
}
