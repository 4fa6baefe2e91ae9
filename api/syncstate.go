package api

// SyncState is how exchanges with a remote went, whoever began them.
type SyncState struct {
	Last     string `json:"last,omitempty"`     // when one last went through
	Tried    string `json:"tried,omitempty"`    // when one last ended
	Failures int    `json:"failures,omitempty"` // since then, in a row
	Problem  string `json:"problem,omitempty"`  // of the last one, if it failed
}
