package api

// NotTaken is a record that one of two stores did not take from the other. What this
// store did not take is asked for again at every sync.
type NotTaken struct {
	Remote string `json:"remote"`
	Peer   string `json:"peer,omitempty"` // the store behind it, of a folder
	Space  string `json:"space"`
	ID     string `json:"id"`
	Why    string `json:"why"`
	There  bool   `json:"there,omitempty"` // the remote did not take it from here
}
