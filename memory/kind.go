package memory

// A Kind says what a record is. The set is closed: each kind has a file of its own, with
// its body and its Form, and a line in the table of kinds.
type Kind string

// A Layer is how far a memory is from what was said and done.
type Layer int

// The layers of the memory model. Claims and keys are on none.
const (
	LayerNone     Layer = iota
	LayerCaptured       // 0: raw words
	LayerEpisodic       // 1: what happened
	LayerSemantic       // 2: what it means
	LayerIdentity       // 3: who we are
	LayerSupport        // people and procedures
)

// maxKindLen bounds the name of a kind, known or not.
const maxKindLen = 32

// wellFormedKind reports whether s could name a kind of this or a later
// version: lower-case letters, digits and underscores, a letter first.
func wellFormedKind(s string) bool {
	if s == "" || len(s) > maxKindLen || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}
