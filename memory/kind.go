package memory

// A Kind says what a record is. The set is closed: each kind has a file of its own, with
// its body and its Form, and a line in the table of kinds.
type Kind string

// The layers of the memory model: how far a memory is from what was said and done. Claims
// and keys are on none.
const (
	layerNone     = iota
	layerCaptured // 0: raw words
	layerEpisodic // 1: what happened
	layerSemantic // 2: what it means
	layerIdentity // 3: who we are
	layerSupport  // people and procedures
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
