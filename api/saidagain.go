package api

// SaidAgain is a memory that was there when the same was said again: no second one
// was made.
type SaidAgain struct {
	Memory
	Raw string `json:"raw"` // the words that said it again
}
