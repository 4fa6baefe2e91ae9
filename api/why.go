package api

// WhyRequest names a memory, and with Without what was never heard.
type WhyRequest struct {
	Ref     string   `json:"ref" jsonschema:"kind:id, or the first digits of the id"`
	Without []string `json:"without,omitempty" jsonschema:"also as if never heard: refs, source:NAME, author:NAME"`
}

// TrustReply is how far a memory can be believed for who stands behind it, with
// every term of the sum.
type TrustReply struct {
	Ref           string   `json:"ref"`
	Headline      string   `json:"headline"`
	Text          string   `json:"text,omitempty"` // all that the memory says, where that is more
	At            string   `json:"at,omitempty"`   // when it was said or happened
	Author        string   `json:"author"`
	Controller    string   `json:"controller"` // the owner behind the author's key
	Name          string   `json:"name,omitempty"`
	Origin        string   `json:"origin"`
	Score         float64  `json:"score"`
	Raw           float64  `json:"raw"` // the sum of the terms
	Level         string   `json:"level"`
	LevelByRange  string   `json:"level_by_range"` // what the score alone would say
	Actionable    bool     `json:"actionable"`
	NotActionable string   `json:"not_actionable,omitempty"` // in a few words
	Tainted       bool     `json:"tainted"`
	Flags         []string `json:"flags"`
	// Terms are the lines of the sum, also those that are worth nothing.
	Terms []TrustTerm `json:"terms"`
	// Reputation is what the author's record so far is worth.
	AuthorReputation TrustRecord    `json:"author_reputation"`
	Witnesses        []TrustWitness `json:"witnesses"`
	Anchors          []TrustAnchor  `json:"anchors"`
	// Voices counts independent people: those whom one person introduced count once.
	Voices TrustVoices `json:"voices"`
	// Opinion shows where witnesses disagree, and how little is known.
	Opinion TrustOpinion `json:"opinion"`
	// Limit is an external source: without independent support the memory is worth no more.
	Limit    *TrustLimit     `json:"limit,omitempty"`
	Upstream []TrustUpstream `json:"upstream,omitempty"`
	Policy   string          `json:"policy"`
	SeenBy   string          `json:"seen_by"` // whose introductions count
}

// TrustTerm is one line of the sum that a trust score is.
type TrustTerm struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
	Why    string  `json:"why"`
}

// TrustRecord is what an author's record so far is worth.
type TrustRecord struct {
	Value   float64 `json:"value"`
	Upheld  int     `json:"upheld"`  // memories confirmed by somebody independent, undisputed
	Refuted int     `json:"refuted"` // disputes upheld, verdicts rejected
}

// TrustVoices counts the independent people who spoke of a memory.
type TrustVoices struct {
	Confirm int `json:"confirm"`
	Partial int `json:"partial"`
	Dispute int `json:"dispute"`
	Anchors int `json:"anchors"`
}

// TrustOpinion shows where witnesses disagree, and how little is known.
type TrustOpinion struct {
	Belief      float64 `json:"belief"`
	Disbelief   float64 `json:"disbelief"`
	Uncertainty float64 `json:"uncertainty"`
}

// TrustLimit is an external source that limits what a memory is worth.
type TrustLimit struct {
	Ref      string  `json:"ref"`
	Headline string  `json:"headline,omitempty"`
	Text     string  `json:"text,omitempty"`
	Score    float64 `json:"score"`
	Level    string  `json:"level"`
	InForce  bool    `json:"in_force"`
}

// TrustWitness is one witness, counted or not.
type TrustWitness struct {
	Ref         string `json:"ref"`
	Controller  string `json:"controller"`
	Name        string `json:"name,omitempty"`
	Attestation string `json:"attestation"`
	Notes       string `json:"notes,omitempty"`
	At          string `json:"at"`
	Counts      bool   `json:"counts"`
	Why         string `json:"why,omitempty"`      // it does not
	Resolved    string `json:"resolved,omitempty"` // upheld or rejected by the one who looks
}

// TrustAnchor is one anchor, counted or not.
type TrustAnchor struct {
	Ref       string `json:"ref"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
	By        string `json:"by"`
	Status    string `json:"status"`
	Bound     bool   `json:"bound"` // it names the memory, or its author signed it in
	Class     string `json:"class,omitempty"`
	CheckedAt string `json:"checked_at,omitempty"`
	Counts    bool   `json:"counts"`
	Why       string `json:"why,omitempty"`
}

// TrustUpstream is something behind a memory that is not as it should be.
type TrustUpstream struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Text     string `json:"text,omitempty"` // all that it says, where the headline is not all
	Why      string `json:"why"`            // disputed, quarantined, rejected; in show also: replaced by REF
}

// WhyReply is what a memory rests on, down to the words, and the three axes side by side,
// never averaged: what the words rest on, who stands behind them, and how sure the author is.
type WhyReply struct {
	Memory
	Sources           []*Node            `json:"sources"`          // the tree of what it was made of
	Deeper            bool               `json:"deeper,omitempty"` // the tree has more than is given
	Links             []LinkView         `json:"links,omitempty"`  // how it relates to other memories
	Support           Support            `json:"support"`
	Conditions        []Condition        `json:"conditions"`
	Trust             TrustReply         `json:"trust"`
	ConfidenceHistory []ConfidenceChange `json:"confidence_history"`
	Decisions         []Decision         `json:"decisions,omitempty"` // about it or another revision, the newest 20
	Followed          []Followed         `json:"followed,omitempty"`  // commits of sessions given it, the newest 20
	Code              []CheckedRef       `json:"code,omitempty"`
	CodeState         string             `json:"code_state,omitempty"`
	// Ranking is what the memory's score in a search is multiplied with.
	Ranking Ranking     `json:"ranking"`
	Without *WhyWithout `json:"without,omitempty"` // where the request asks
}

// Support is how many sources of a memory still count, and of how many independent origins they are: sources that share
// an ancestor, a page or a session are of one.
type Support struct {
	Sources int `json:"sources"`
	Origins int `json:"origins"`
}

// Ranking is what a memory's score in a search is multiplied with.
type Ranking struct {
	Tier    float64 `json:"tier"`
	Trust   float64 `json:"trust"`
	Recency float64 `json:"recency"`
}
