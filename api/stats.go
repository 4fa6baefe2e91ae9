package api

// StatsReply is what is in the store, all spaces together.
type StatsReply struct {
	Records  int         `json:"records"`
	Memories []KindCount `json:"memories"`
	Claims   []KindCount `json:"claims"`
	Edges    int         `json:"edges"`
	Missing  int         `json:"missing"` // arrows to records not held here
	Purged   int         `json:"purged"`
	// Raws counts the captures that memories were made of, and the others.
	Raws Processed `json:"raws"`
	// Spaces are those of the store, with their records.
	Spaces []SpaceCount `json:"spaces"`
	Bytes  int64        `json:"bytes"`

	Links map[string]int   `json:"links,omitempty"` // by relation, those that were found wrong or decided left out
	Jobs  JobCount         `json:"jobs"`
	Model map[string]int64 `json:"model,omitempty"` // calls, tokens and failures of the last seven days
}

// Processed counts the captures that memories were made of, and the others.
type Processed struct {
	Processed   int `json:"processed"`
	Unprocessed int `json:"unprocessed"`
}

// SpaceCount is how many records there are of a space.
type SpaceCount struct {
	Space   string `json:"space"`
	Records int64  `json:"records"`
}

// JobCount is how much was left for later.
type JobCount struct {
	Open   int `json:"open"`
	Done   int `json:"done"`
	GaveUp int `json:"gave_up"`
}

// KindCount is how many records there are of a kind.
type KindCount struct {
	Kind  string `json:"kind"`
	Total int    `json:"total"`
	Live  int    `json:"live"`
}
