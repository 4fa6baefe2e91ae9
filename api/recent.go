package api

// RecentRequest asks what was captured lately.
type RecentRequest struct {
	Session string `json:"session,omitempty" jsonschema:"only captures of this session; default: the current one"`
	Since   string `json:"since,omitempty" jsonschema:"a time, or how long ago such as 2h; empty is a day, or the session"`
	Limit   int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}
