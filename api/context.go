package api

// ContextRequest asks for what bears on a question, within a budget of tokens.
type ContextRequest struct {
	Query       string `json:"query,omitempty" jsonschema:"empty is what is best grounded and newest"`
	Level       string `json:"level,omitempty" jsonschema:"minimal, task or deep: 500, 2000 or 4000 tokens"`
	Budget      int    `json:"budget,omitempty" jsonschema:"tokens, 100 to 50000; 0 is the level's"`
	Uncommitted bool   `json:"uncommitted,omitempty" jsonschema:"judge code by the working tree, not by what is committed"`
}

// ContextReply is a pack: what it says is printed by Render, in no more tokens
// than its budget. As JSON it is the pack in that form.
type ContextReply struct {
	body     []byte
	empty    bool
	warnings []string
	render   func(format string, fancy bool) ([]byte, error)
}

// PackReply returns a pack: its JSON, whether it has no memory, and how it is printed.
func PackReply(body []byte, empty bool, warnings []string, render func(string, bool) ([]byte, error)) ContextReply {
	return ContextReply{body, empty, warnings, render}
}

// Warnings says what was not as it should be: an embedder that did not answer.
func (r ContextReply) Warnings() []string { return r.warnings }

// Empty reports whether there is nothing in it that an agent could know.
func (r ContextReply) Empty() bool { return r.empty }

// MarshalJSON returns the pack as one compact object within the budget.
func (r ContextReply) MarshalJSON() ([]byte, error) { return r.body, nil }

// Render prints the pack as text, markdown or json; fancy is with pictures.
func (r ContextReply) Render(format string, fancy bool) ([]byte, error) {
	return r.render(format, fancy)
}
