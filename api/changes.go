package api

// A Change is a record that came into the store. Its words are not told: who may
// and wants to read them asks for them.
type Change struct {
	Ref    string `json:"ref"`
	Type   string `json:"type"`
	Space  string `json:"space"`
	Seq    int64  `json:"seq"`    // its place in the log of the space
	Cursor string `json:"cursor"` // where to go on after it
}
