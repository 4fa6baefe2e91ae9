package api

// TaintRequest names what may be false.
type TaintRequest struct {
	Target string `json:"target" jsonschema:"a ref, author:KEY or source:NAME"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many records are listed; 0 is 1000, -1 is all"`
}

// TaintReply is what rests on something that may be false.
type TaintReply struct {
	Target        string     `json:"target"`
	Roots         []string   `json:"roots"`    // the records it names
	Affected      []Affected `json:"affected"` // what would fall with them
	Survives      []Affected `json:"survives"` // what also stands on independent sources
	Followed      []Followed `json:"followed"` // commits of sessions that were given, or said, any of these
	AffectedCount int        `json:"affected_count"`
	SurvivesCount int        `json:"survives_count"`
}

// Affected is one record that rests on a root, directly or not.
type Affected struct {
	Ref      string   `json:"ref"`
	Headline string   `json:"headline"`
	Path     []string `json:"path,omitempty"`    // from the root to the record
	Grounds  []string `json:"grounds,omitempty"` // the independent sources it stands on
}
