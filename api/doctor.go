package api

// DoctorRequest asks for a look, and for a repair first.
type DoctorRequest struct {
	Repair bool `json:"repair,omitempty" jsonschema:"first rebuild derived data, such as the index"`

	Since bool `json:"since,omitempty" jsonschema:"look only at what came after the last clean run"`

	// Progress, where it is not nil, is called with how many records a repair has gone
	// through: it goes through all of them several times.
	Progress func(done int) `json:"-"`
}

// DoctorReply is what is wrong with a store.
type DoctorReply struct {
	Records    int `json:"records"`    // looked at
	Signatures int `json:"signatures"` // verified
	// Repaired says what a repair made again, and what it could not.
	Repaired *Repaired `json:"repaired,omitempty"`
	Problems []Problem `json:"problems"`
	// Since says what was read where only what came since the last clean run was asked for. What was
	// changed on the disk since then of older records, their tables or the index is not seen.
	Since *CheckScope `json:"since,omitempty"`
	Notes []string    `json:"notes,omitempty"` // worth knowing, and no problem

	Waiting []NotTaken `json:"waiting,omitempty"` // records that a sync refused and still asks for
	// Secrets are records in which something looks like a secret: it came signed from
	// elsewhere, or somebody wanted it so.
	Secrets []KeptSecret `json:"secrets,omitempty"`
}

// Repaired is what a repair made again, and what it could not.
type Repaired struct {
	Records int      `json:"records"` // read, of all stores that are read together
	Columns int      `json:"columns"` // rows of the log in which a copied column was wrong
	Edges   int      `json:"edges"`
	States  int      `json:"states"`
	Left    []string `json:"left,omitempty"` // what is lost, or was left as it was
}

// KeptSecret is a record in which something looks like a secret.
type KeptSecret struct {
	Ref   string      `json:"ref"`
	Found []Redaction `json:"found"`
	Fix   string      `json:"fix,omitempty"` // the command that removes the record's words
}

// A Problem is one thing that is not as it should be.
type Problem struct {
	What string `json:"what"`
	Ref  string `json:"ref,omitempty"`
	Fix  string `json:"fix,omitempty"`
}
