package api

// ProvenanceReply is how a record came to be, one step in each direction.
type ProvenanceReply struct {
	Ref               string             `json:"ref"`
	SourceType        string             `json:"source_type"`
	CreatedVia        string             `json:"created_via"`
	CreatedAt         string             `json:"created_at"`
	SourceRawIDs      []string           `json:"source_raw_ids,omitempty"`
	SourceMemoryRefs  []string           `json:"source_memory_refs,omitempty"`
	DerivedFrom       []string           `json:"derived_from,omitempty"`
	SourceEpisodes    []string           `json:"source_episodes,omitempty"`
	DerivedInto       []string           `json:"derived_into,omitempty"`
	Supersedes        []string           `json:"supersedes,omitempty"`
	SupersededBy      string             `json:"superseded_by,omitempty"`
	Hidden            string             `json:"hidden,omitempty"` // superseded, rejected, forgotten, purged, …
	ConsolidationID   string             `json:"consolidation_id,omitempty"`
	PromotionContext  string             `json:"promotion_context,omitempty"`
	Run               string             `json:"run,omitempty"`
	Author            string             `json:"author"`
	Origin            string             `json:"origin"`
	Session           string             `json:"session,omitempty"`
	ConfidenceHistory []ConfidenceChange `json:"confidence_history"`
}

// RelatedReply is records that hang on another.
type RelatedReply struct {
	Ref     string    `json:"ref"`
	Related []Related `json:"related"`
}

// Related is one record that hangs on another.
type Related struct {
	Type         string   `json:"type"`
	ID           string   `json:"id"`
	Headline     string   `json:"headline"`
	Text         string   `json:"text,omitempty"`    // all that it says, where the headline is not all
	Speaker      string   `json:"speaker,omitempty"` // who said the words
	By           string   `json:"by,omitempty"`      // who wrote it, where another person did
	At           string   `json:"at,omitempty"`      // when it was said or happened
	CreatedAt    string   `json:"created_at"`
	Relationship string   `json:"relationship"`    // how the derived one of the two came to be: the same from both ends
	Depth        int      `json:"depth"`           // steps away
	Marks        []string `json:"marks,omitempty"` // what a reader must know beside the words
	Course
}
