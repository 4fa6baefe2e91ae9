package api

// ContextRequest asks for what bears on a question, within a budget of tokens.
type ContextRequest struct {
	Query       string `json:"query,omitempty" jsonschema:"empty selects the best grounded and newest memories"`
	Level       string `json:"level,omitempty" jsonschema:"minimal, task or deep: 500, 2000 or 4000 tokens"`
	Budget      int    `json:"budget,omitempty" jsonschema:"tokens, 100 to 50000; 0 is the level's"`
	Uncommitted bool   `json:"uncommitted,omitempty" jsonschema:"compare code with the working tree"`

	Format string `json:"-"` // in which it will be printed first: text, markdown or json; "" is json
}

// ContextReply is a pack: what it says is printed by Render, in no more tokens
// than its budget. As JSON it is the pack in that form. That of a server has Body and
// Render alone, and Render prints the one format that was asked for.
type ContextReply struct {
	Empty    bool     // nothing is in it that an agent could know or do
	Warnings []string // what was not as it should be: an embedder that did not answer
	Less     []string // why a load gives less than it should: nothing could be verified, no room for constraints
	Body     []byte   // the pack as one compact JSON object within the budget, where no other format was named

	// Render prints the pack as text, markdown or json; fancy is with pictures.
	Render func(format string, fancy bool) ([]byte, error)
}

// MarshalJSON returns the pack as one compact object within the budget.
func (r ContextReply) MarshalJSON() ([]byte, error) {
	if r.Body == nil && r.Render != nil {
		return r.Render("json", false)
	}
	return r.Body, nil
}
