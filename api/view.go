package api

// A Memory is a record and its state as replies show it.
type Memory struct {
	Ref      string `json:"ref"` // in full: kind:id
	Type     string `json:"type"`
	ID       string `json:"id"`
	Headline string `json:"headline"`
	// Text is all that it says in words, where the headline is not all; of captured words, content has it.
	Text               string         `json:"text,omitempty"`
	Content            map[string]any `json:"content,omitempty"` // the body's members, numbers as decimals
	Confidence         float64        `json:"confidence"`        // as it is now
	ConfidenceAsserted float64        `json:"confidence_asserted"`
	Tier               string         `json:"tier,omitempty"`
	Review             string         `json:"review,omitempty"` // approved only by a person who has a say here
	ReviewedBy         string         `json:"reviewed_by,omitempty"`
	ReviewedAt         string         `json:"reviewed_at,omitempty"` // when it was approved or rejected
	IsActive           bool           `json:"is_active"`
	Hidden             string         `json:"hidden,omitempty"` // why search and lists leave it out
	// Marks are what a reader must know beside the words: each reading of the record gives the same
	Marks           []string `json:"marks,omitempty"`
	SupersededBy    string   `json:"superseded_by,omitempty"`
	Supersedes      []string `json:"supersedes,omitempty"`
	SourceType      string   `json:"source_type"`
	CreatedVia      string   `json:"created_via"`
	DerivedFrom     []string `json:"derived_from,omitempty"`
	SourceEpisodes  []string `json:"source_episodes,omitempty"` // those among them
	Source          string   `json:"source"`                    // in words: "3 episodes", "direct"
	At              string   `json:"at,omitempty"`              // when it was said or happened, where it came from
	CreatedAt       string   `json:"created_at"`                // when it was recorded
	OccurredAt      string   `json:"occurred_at,omitempty"`
	SourceCreatedAt string   `json:"source_created_at,omitempty"` // where it was imported from
	SourceUpdatedAt string   `json:"source_updated_at,omitempty"`
	ValidFrom       string   `json:"valid_from,omitempty"`
	ValidUntil      string   `json:"valid_until,omitempty"`
	Author          string   `json:"author"`
	By              string   `json:"by,omitempty"` // who wrote it and where, where another person shares it
	Agent           string   `json:"agent,omitempty"`
	Origin          string   `json:"origin"`
	Trust           *float64 `json:"trust,omitempty"` // 0 to 1
	// of trust: unverified, attested, anchored, consensus, or rejected
	Level         string `json:"level,omitempty"`
	Actionable    bool   `json:"actionable"`               // an agent may act on it without asking
	NotActionable string `json:"not_actionable,omitempty"` // why an agent may not, in a few words
	External      bool   `json:"external,omitempty"`       // its words come from outside
	// something external is behind it, and no independent person confirms it
	Tainted bool `json:"tainted,omitempty"`
	// somebody else's, and confirmed by no person who has a say here
	Unverified bool     `json:"unverified,omitempty"`
	Disputed   bool     `json:"disputed,omitempty"` // by a witness who counts, or by its own author
	Doubt      string   `json:"doubt,omitempty"`    // forged, or withheld: something said of it is missing
	TrustFlags []string `json:"trust_flags,omitempty"`
	// NoLongerCounts are sources that do not count any more.
	NoLongerCounts    []Fallen `json:"no_longer_counts,omitempty"`
	Space             string   `json:"space"`
	Session           string   `json:"session,omitempty"`
	Trigger           string   `json:"trigger,omitempty"`
	Tags              []string `json:"tags,omitempty"`
	About             []string `json:"about,omitempty"`
	Alias             []string `json:"alias,omitempty"`
	Protected         bool     `json:"protected,omitempty"`
	LastVerified      string   `json:"last_verified,omitempty"`
	VerificationCount int      `json:"verification_count,omitempty"`
	CodeRefs          []string `json:"code_refs,omitempty"` // as the memory names them
	Store             string   `json:"store,omitempty"`     // where two stores are read together

	Course
	Uses        int      `json:"uses,omitempty"`         // of a playbook
	Successes   int      `json:"successes,omitempty"`    // of its uses
	SuccessRate *float64 `json:"success_rate,omitempty"` // once it was used
}

// Fallen is a source of a memory that does not count any more.
type Fallen struct {
	Ref string `json:"ref"`
	Why string `json:"why"` // rejected, quarantined, disputed, …
}

// ShowReply is one record with what hangs on it.
type ShowReply struct {
	Memory
	ProcessedInto []string `json:"processed_into,omitempty"` // of a raw: the current memories that were made of it
	DerivedInto   []string `json:"derived_into,omitempty"`   // what rests on it directly
	Claims        []Claim  `json:"claims,omitempty"`         // what was said of it

	Decisions []Decision `json:"decisions,omitempty"` // about it or another revision, the newest 20

	Links []LinkView `json:"links,omitempty"` // how it relates to other memories, as somebody or something found

	Conditions []Condition  `json:"conditions,omitempty"` // of the tiers, met or not
	Code       []CheckedRef `json:"code,omitempty"`       // how the code it names stands
	CodeState  string       `json:"code_state,omitempty"` // verified, needs_review, stale or unknown

	Upstream []TrustUpstream `json:"upstream,omitempty"` // what it rests on that is disputed, quarantined or rejected
}

// A Claim is one thing said of a record.
type Claim struct {
	Ref      string         `json:"ref"`
	Type     string         `json:"type"`
	Headline string         `json:"headline"`
	Author   string         `json:"author"`
	At       string         `json:"at"`
	Content  map[string]any `json:"content,omitempty"`
}
