package api

// AnchorRequest ties a memory to something outside.
type AnchorRequest struct {
	Ref       string `json:"ref"`
	Type      string `json:"type" jsonschema:"git_commit, url, file, rfc3161, moltbook_post, tlog or blockchain"`
	Reference string `json:"reference" jsonschema:"a commit, a URL, a path, the file of a timestamp token"`
}

// AnchorReply is the anchor and the memory as it stands with it.
type AnchorReply struct {
	Claim     string     `json:"claim"` // ref of the anchor record
	Type      string     `json:"type"`
	Reference string     `json:"reference"`
	SHA256    string     `json:"sha256,omitempty"`
	Status    string     `json:"status"`
	Bound     bool       `json:"bound"` // the thing itself names the memory
	Why       string     `json:"why,omitempty"`
	Hint      string     `json:"hint,omitempty"`
	Trust     TrustReply `json:"trust"`
}

// AnchorStampReply is what an outside thing needs to name a memory.
type AnchorStampReply struct {
	Ref   string `json:"ref"`
	Line  string `json:"line"`  // for a commit, a page or a file
	Query []byte `json:"query"` // for an authority of timestamps: a TimeStampReq in DER
}

// AnchorCheckRequest says which anchors to check.
type AnchorCheckRequest struct {
	Ref    string `json:"ref,omitempty" jsonschema:"a memory, or one anchor; empty is every anchor that is due"`
	All    bool   `json:"all,omitempty" jsonschema:"also anchors that are not due"`
	Online bool   `json:"online,omitempty" jsonschema:"fetch pages; without it only what can be checked offline is"`
}

// AnchorCheckReply is how checks came out.
type AnchorCheckReply struct {
	Checked []CheckedAnchor `json:"checked"`
	Skipped int             `json:"skipped"` // not due, or only to be checked online
}

// CheckedAnchor is one anchor as it is now.
type CheckedAnchor struct {
	Ref       string `json:"ref"`
	Of        string `json:"of"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	Before    string `json:"before,omitempty"`
	Bound     bool   `json:"bound"`
	Why       string `json:"why,omitempty"`
	Due       string `json:"due,omitempty"` // when it should be checked again
}
