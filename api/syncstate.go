package api

// SyncState is how exchanges with a remote went, whichever side started them.
type SyncState struct {
	Last     string `json:"last,omitempty"`     // when one last went through
	Tried    string `json:"tried,omitempty"`    // when one last ended
	Failures int    `json:"failures,omitempty"` // since then, in a row
	Problem  string `json:"problem,omitempty"`  // of the last one, if it failed
}

// SyncLag is how far a store and a remote are behind each other.
type SyncLag struct {
	// Unpushed is how many records here were not given to the remote yet; purged ones and those that the remote's
	// filter leaves out do not count. About says that they were too many to look at each, and are at most so many.
	Unpushed int64 `json:"unpushed"`
	About    bool  `json:"about,omitempty"`
	// Unpulled is how many records the remote had at the last exchange that were not taken yet.
	Unpulled int64 `json:"unpulled"`
	// Seconds is how long ago the last complete exchange was; none is that there was none yet.
	Seconds *int64 `json:"seconds,omitempty"`
	Failed  string `json:"failed,omitempty"`  // when an exchange failed last
	Failure string `json:"failure,omitempty"` // why
	Next    string `json:"next,omitempty"`    // when a server tries again, at the latest
}
