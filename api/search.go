package api

import ()

// SearchRequest is a question in plain words: any text is a valid query, and
// operators in it are words.
type SearchRequest struct {
	Query             string   `json:"query"`
	Like              string   `json:"like,omitempty" jsonschema:"ref of a memory, in place of a query: more like it"`
	Limit             int      `json:"limit,omitempty" jsonschema:"0 is 10, at most 1000"`
	Kind              string   `json:"kind,omitempty" jsonschema:"one kind, or several with commas"`
	Type              string   `json:"type,omitempty" jsonschema:"the type within a kind, such as decision"`
	Tier              string   `json:"tier,omitempty" jsonschema:"minimum: grounded, observed, inferred or hypothesis"`
	Tag               string   `json:"tag,omitempty" jsonschema:"a tag, or several with commas: all of them"`
	MinTrust          *float64 `json:"min_trust,omitempty" jsonschema:"a trust score, 0 to 1: that or more"`
	MinLevel          string   `json:"min_level,omitempty" jsonschema:"attested, anchored or consensus: that or better"`
	Session           string   `json:"session,omitempty"`
	Since             string   `json:"since,omitempty" jsonschema:"only what happened or was recorded since"`
	Until             string   `json:"until,omitempty" jsonschema:"only what happened or was recorded before"`
	AsOf              string   `json:"as_of,omitempty" jsonschema:"as it was known at this time"`
	ValidAt           string   `json:"valid_at,omitempty" jsonschema:"only what held at this time"`
	All               bool     `json:"all,omitempty" jsonschema:"superseded, rejected, forgotten and quarantined ones too"`
	IncludeProvenance bool     `json:"include_provenance,omitempty"`
	Explain           bool     `json:"explain,omitempty" jsonschema:"show the parts of the relevance"`
}

// SearchReply is what was found, best first.
type SearchReply struct {
	Query    string   `json:"query"`
	AsOf     string   `json:"as_of,omitempty"`
	Embedder string   `json:"embedder,omitempty"` // the model whose vectors were compared
	Receipt  string   `json:"receipt,omitempty"`  // under which this answer can be looked up
	Warnings []string `json:"warnings,omitempty"`
	Asked    []Asked  `json:"asked,omitempty"` // the remotes that were asked too
	// Gathered says how a question was answered that wants everything there is of something; nil is any other
	Gathered *Gathered `json:"gathered,omitempty"`
	// Note says that nothing bears on the question, where that is so
	Note    string   `json:"note,omitempty"`
	Results []Result `json:"results"`
}

// Result is one memory found.
type Result struct {
	Rank           int      `json:"rank"`
	Ref            string   `json:"ref"`
	Type           string   `json:"type"`
	ID             string   `json:"id"`
	Text           string   `json:"text"`            // all that it says
	Cut            bool     `json:"cut,omitempty"`   // only what of it answers: `why` has all
	Words          int      `json:"words,omitempty"` // that it has in full, where it is cut
	Score          float64  `json:"score"`           // the product of the factors
	Factors        Factors  `json:"factors"`         // what the score is made of
	Confidence     float64  `json:"confidence"`
	Tier           string   `json:"tier,omitempty"`
	Origin         string   `json:"origin"`
	Trust          float64  `json:"trust"`
	Level          string   `json:"level"`                      // of trust: unverified, attested, anchored, consensus
	Actionable     bool     `json:"actionable"`                 // an agent may act on it without asking
	NotActionable  string   `json:"not_actionable,omitempty"`   // in a few words
	Review         string   `json:"review,omitempty"`           // approved only by a person who has a say here
	External       bool     `json:"external,omitempty"`         // its words come from outside
	Tainted        bool     `json:"tainted,omitempty"`          // external, and no independent person confirms it
	Unverified     bool     `json:"unverified,omitempty"`       // somebody else's, and confirmed by no person with a say
	Disputed       bool     `json:"disputed,omitempty"`         // by a witness who counts, or by its own author
	Doubt          string   `json:"doubt,omitempty"`            // withheld: something said of it is missing
	NoLongerCounts int      `json:"no_longer_counts,omitempty"` // of its sources
	Hidden         string   `json:"hidden,omitempty"`
	Speaker        string   `json:"speaker,omitempty"`
	By             string   `json:"by,omitempty"` // who wrote it and where, where another person shares it
	At             string   `json:"at,omitempty"` // when it was said or happened
	CreatedAt      string   `json:"created_at"`   // when it was recorded here
	OccurredAt     string   `json:"occurred_at,omitempty"`
	Session        string   `json:"session,omitempty"`
	Weak           bool     `json:"weak,omitempty"`      // it has little of what was asked for: likely no answer
	Perhaps        bool     `json:"perhaps,omitempty"`   // it shares too few words with the question: its meaning is near
	Undecided      []string `json:"undecided,omitempty"` // what it contradicts or may replace, while no decision exists
	Marks          []string `json:"marks,omitempty"`     // what a reader must know beside the words
	Group          string   `json:"group,omitempty"`     // where everything is gathered: decisions, facts, episodes …
	// the words that it was made of and that say the same: they have no line of their own
	Wording []string `json:"wording,omitempty"`
	Until   string   `json:"until,omitempty"`  // when it stopped to hold, or another took its place
	Remote  string   `json:"remote,omitempty"` // the remote whose word all of this is: not held here, not verified
	Store   string   `json:"store,omitempty"`  // where two stores are read together
	Alias   []string `json:"alias,omitempty"`  // the ids it had elsewhere
	Course
	Source string `json:"source,omitempty"` // with include_provenance
	From   string `json:"from,omitempty"`   // with include_provenance: in words
	Why    *Why   `json:"why,omitempty"`    // with explain
}

// Why says what made up the relevance of a result. The parts are in the same
// unit and add up to the relevance.
type Why struct {
	Own        float64  `json:"own"`                  // its own words
	Propagated float64  `json:"propagated,omitempty"` // from its neighbours in the session
	Shared     float64  `json:"shared,omitempty"`     // by the best of its session
	Graph      float64  `json:"graph,omitempty"`      // by what it rests on or what rests on it
	GraphBy    string   `json:"graph_by,omitempty"`
	Wording    float64  `json:"wording,omitempty"`  // by words that yielded their line to it
	Meaning    float64  `json:"meaning,omitempty"`  // by the nearness of its vector
	Cosine     float64  `json:"cosine,omitempty"`   // the nearness of its vector
	Terms      []string `json:"terms,omitempty"`    // the words of the question it has, as they are looked for
	Question   []string `json:"question,omitempty"` // all of them
}
