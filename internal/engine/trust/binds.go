package trust

import "github.com/stemma-memory/stemma/memory"

// Types of notes that bind: when what they speak of changed, that is looked at
// first.
const (
	ConstraintType = "constraint"
	DecisionType   = "decision"
)

// binds reports whether a memory says what to do, not what is so: what a person approved of that holds, whatever
// became of what it was made of.
func binds(r *memory.Record) bool {
	switch b := r.Body.(type) {
	case *memory.Value, *memory.Goal, *memory.Drive:
		return true
	case *memory.Note:
		return b.Type == ConstraintType
	}
	return false
}
