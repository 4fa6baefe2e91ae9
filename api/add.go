package api

// AddRequest is a memory written down directly.
type AddRequest struct {
	From []string `json:"from,omitempty" jsonschema:"refs of memories it was inferred from"`
	Told bool     `json:"told,omitempty" jsonschema:"it was told by somebody, not experienced"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Draft
	Meta
}
