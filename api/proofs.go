package api

// EntryProof says which words of which record an entry of an answer gives. The record is the one with the entry's ref,
// among the proofs of the answer.
type EntryProof struct {
	// Span is which bytes of all that the record says are given, as "0-37", or several with commas.
	Span string `json:"span,omitempty"`
	// Decided is the record by which a person approved, rejected or hid the memory.
	Decided string `json:"decided,omitempty"`
	// Missing says why nothing proves the entry, where that is so.
	Missing string `json:"missing,omitempty"`
}
