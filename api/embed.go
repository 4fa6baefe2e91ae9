package api

// EmbedRequest asks for vectors of what has none yet.
type EmbedRequest struct {
	Limit int `json:"limit,omitempty" jsonschema:"records to look at; 0 is all"`

	// Progress, where it is not nil, is called with how many records were looked at, of how many.
	Progress func(done, of int) `json:"-"`
}

// EmbedReply says what was made.
type EmbedReply struct {
	Model    string `json:"model"`
	LookedAt int    `json:"looked_at"` // records
	Made     int    `json:"made"`      // vectors
	Nothing  int    `json:"nothing"`   // memories in which the model found nothing to say
	Left     int    `json:"left"`      // records not looked at yet
}
