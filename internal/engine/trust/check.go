package trust

// Types of notes that bind: when what they speak of changed, that is looked at
// first.
const (
	ConstraintType = "constraint"
	DecisionType   = "decision"
)
