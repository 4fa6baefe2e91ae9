package api

// RelationshipHistoryReply is what there was with somebody, the oldest first.
type RelationshipHistoryReply struct {
	Name      string   `json:"name"`
	Sentiment *float64 `json:"sentiment,omitempty"` // as the current relationship says
	// Changes are the sentiments over time, each from its time on.
	Sentiments []SentimentChange   `json:"sentiments"`
	Entries    []RelationshipEntry `json:"entries"`
	More       bool                `json:"more,omitempty"` // there are older ones than the limit
}

// SentimentChange is a sentiment, from a time on.
type SentimentChange struct {
	At        string  `json:"at"`
	Ref       string  `json:"ref"`
	Sentiment float64 `json:"sentiment"`
}

// RelationshipEntry is a revision of what we know of somebody, or a memory that
// speaks of them.
type RelationshipEntry struct {
	At        string   `json:"at"` // when it was said or happened
	Ref       string   `json:"ref"`
	Type      string   `json:"type"`
	Headline  string   `json:"headline"`
	Text      string   `json:"text,omitempty"` // all that it says, where the headline is not all
	How       string   `json:"how"`            // relationship, speaker, about or mentioned
	Sentiment *float64 `json:"sentiment,omitempty"`
	Hidden    string   `json:"hidden,omitempty"`
	Marks     []string `json:"marks,omitempty"` // what a reader must know beside the words
}
