package api

// RecoverFileRequest names a damaged store and a new one.
type RecoverFileRequest struct {
	From string `json:"from"` // a SQLite file; it is not changed
	To   string `json:"to"`   // a file that is not there yet; "" is From with -recovered before its end
}

// RecoverFileReply says what was whole, and names what was not.
type RecoverFileReply struct {
	From    string       `json:"from"`
	File    string       `json:"file"` // the new store
	Records int          `json:"records"`
	Spaces  []LogSize    `json:"spaces"`
	Lost    []LostRecord `json:"lost"`
}

// LogSize is how many records of a space there are.
type LogSize struct {
	Space   string `json:"space"`
	Records int    `json:"records"`
}

// A LostRecord was in the log of the damaged store, and is not whole.
type LostRecord struct {
	Space string `json:"space,omitempty"`
	Seq   int64  `json:"seq"`
	ID    string `json:"id,omitempty"`
	Why   string `json:"why"`
}
