package api

// Repaired says what a repair made again, and what it could not.
type Repaired struct {
	Records int      `json:"records"` // read, of all stores that are read together
	Columns int      `json:"columns"` // rows of the log in which a copied column was wrong
	Edges   int      `json:"edges"`
	States  int      `json:"states"`
	Left    []string `json:"left,omitempty"` // what is lost, or was left as it was
}
