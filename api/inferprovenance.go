package api

// InferProvenanceRequest asks where memories without sources may come from.
type InferProvenanceRequest struct {
	Apply []string `json:"apply,omitempty" jsonschema:"keep the proposals of these memories as links; for a person"`
	All   bool     `json:"all,omitempty" jsonschema:"keep all proposals; only a person may"`
	Limit int      `json:"limit,omitempty" jsonschema:"how many proposals are shown; 0 is 50, -1 is all"`
}

// InferProvenanceReply is what was proposed, the likest first, or kept.
type InferProvenanceReply struct {
	Legacy    int        `json:"legacy"` // memories without sources
	Proposals []Inferred `json:"proposals"`
	Total     int        `json:"total"` // proposals
	More      bool       `json:"more,omitempty"`
	Applied   int        `json:"applied,omitempty"` // links written
}

// Inferred is one memory and what it may come from.
type Inferred struct {
	Ref            string   `json:"ref"`
	Headline       string   `json:"headline"`
	Text           string   `json:"text,omitempty"` // all that it says, where the headline is not all
	At             string   `json:"at,omitempty"`   // when it was said or happened
	Source         string   `json:"source"`
	SourceHeadline string   `json:"source_headline"`
	SourceText     string   `json:"source_text,omitempty"`
	SourceAt       string   `json:"source_at,omitempty"`
	Score          float64  `json:"score"` // 0 to 1
	Reason         string   `json:"reason"`
	Shared         []string `json:"shared"`         // rare terms that both have
	Link           string   `json:"link,omitempty"` // where it was applied
}
