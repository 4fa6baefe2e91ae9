package api

// NotTaken is records of a space that one of two stores did not take from the other, for one
// reason. What this store did not take is asked for again at every sync.
type NotTaken struct {
	Remote string `json:"remote"`
	Peer   string `json:"peer,omitempty"` // the store behind it, of a folder
	Space  string `json:"space"`
	ID     string `json:"id"` // of one of them
	Count  int    `json:"count"`
	Why    string `json:"why"`
	There  bool   `json:"there,omitempty"` // the remote did not take them from here
}
