package api

// RememberRequest is something to be remembered, in plain words.
type RememberRequest struct {
	Text        string `json:"text,omitempty" jsonschema:"what to remember"`
	Speaker     string `json:"speaker,omitempty" jsonschema:"who said it; empty for the user"`
	Source      string `json:"source,omitempty"`
	Wait        bool   `json:"wait,omitempty" jsonschema:"answer when memories are drafted and compared, not before"`
	NoEvolution bool   `json:"no_evolution,omitempty" jsonschema:"do not compare them with older memories"`
	Judge       bool   `json:"judge,omitempty" jsonschema:"return the pairs to compare, for the caller to judge"`
	// Kind is what the text is, where who remembers it knows: a kind of memory, or a type of note.
	Kind string `json:"kind,omitempty" jsonschema:"belief, decision, preference, convention, known_fix, … if you know"`
	// Replaces are memories that the text takes the place of.
	Replaces []string `json:"replaces,omitempty" jsonschema:"memories that it takes the place of"`
	Why      string   `json:"why,omitempty" jsonschema:"the reason for it, one or two sentences"`
	// From are captures of which the text says what is worth keeping: the memories made of it have them as sources.
	From []string `json:"from,omitempty" jsonschema:"captures it is made of"`
	// NotKept are prompts of which nothing is worth keeping: they wait no more, and stay what they are.
	NotKept []string `json:"not_kept,omitempty" jsonschema:"prompts not worth keeping"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Meta
}

// RememberReply names the words that were kept and what came of them so far.
type RememberReply struct {
	WriteReply
	Jobs     []string   `json:"jobs,omitempty"`     // still to be done
	Memories []Memory   `json:"memories,omitempty"` // drafted of the words
	Links    []LinkView `json:"links,omitempty"`    // how they relate to older memories
	Entities []Entity   `json:"entities,omitempty"` // whom and what the memories are about
	NotKept  []string   `json:"not_kept,omitempty"` // prompts that waited until now, and are not kept
	// Near are current memories about the same thing, at most three, where no rule tells which one it touches. If one
	// is no longer so, `correct` says it.
	Near  []Memory  `json:"near,omitempty"`
	Judge []Judging `json:"judge,omitempty"` // for the caller to judge
	Notes []string  `json:"notes,omitempty"` // what went otherwise than asked

	// Said are memories that say it already: no second ones were made.
	SaidAgain []SaidAgain `json:"said_again,omitempty"`
	// of what was drafted, what a person rejected: no memory was made, unless it is merely alike
	RejectedBefore []Rejection `json:"rejected_before,omitempty"`
}

// SaidAgain is a memory that says already what was to be remembered.
type SaidAgain struct {
	Memory
	Raw string `json:"raw"` // the words that said it again
}
