package api

// PictureRequest says which part of the family tree to draw: what some roots come
// from and what came of them, or records that are named one by one.
type PictureRequest struct {
	Roots []PictureRoot `json:"roots,omitempty"`
	Only  []string      `json:"only,omitempty" jsonschema:"these records, and none beside"`
	Limit int           `json:"limit,omitempty" jsonschema:"nodes; 0 is 400, at most 10000"`
}

// PictureRoot is where a walk begins, and how many levels it goes each way; -1 is
// all of them.
type PictureRoot struct {
	Ref     string `json:"ref"`
	Back    int    `json:"back"`
	Forward int    `json:"forward"`
}

// PictureReply is a part of a family tree as a list of nodes and of arrows between
// them. Places in Nodes are what arrows and Roots name.
type PictureReply struct {
	Roots  []int          `json:"roots"`
	Nodes  []PictureNode  `json:"nodes"`
	Arrows []PictureArrow `json:"arrows"`
	Full   bool           `json:"full,omitempty"` // there would be more than the limit
}

// A PictureNode is one record, with what is known of it on each of the three axes.
type PictureNode struct {
	Ref        string   `json:"ref"`
	Kind       string   `json:"kind"`
	Words      string   `json:"words"`
	At         string   `json:"at,omitempty"`
	Speaker    string   `json:"speaker,omitempty"` // of a raw
	Tier       string   `json:"tier,omitempty"`
	Trust      *float64 `json:"trust,omitempty"`
	Level      string   `json:"level,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Actionable bool     `json:"actionable,omitempty"`
	Hidden     string   `json:"hidden,omitempty"`
	Review     string   `json:"review,omitempty"`
	Disputed   bool     `json:"disputed,omitempty"`
	Course
	Missing bool `json:"missing,omitempty"` // cited, but not held here
	Older   int  `json:"older,omitempty"`   // sources that are not in the picture
	Newer   int  `json:"newer,omitempty"`   // derived from it, and not in the picture
}

// A PictureArrow goes from what is newer to what is older.
type PictureArrow struct {
	Newer int    `json:"newer"`
	Older int    `json:"older"`
	How   string `json:"how,omitempty"` // "" is derived from; or inferred, revises, or the relation of a link
}
