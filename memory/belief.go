package memory

import "errors"

// Belief is something held to be true, with what it rests on in From.
type Belief struct {
	Statement string `json:"statement"`
	Type      string `json:"type,omitempty"` // fact, principle, preference, opinion, …
}

// Kind is belief.
func (*Belief) Kind() Kind { return KindBelief }

// Headline returns the statement.
func (b *Belief) Headline() string { return FirstLine(b.Statement) }

// Words returns the statement.
func (b *Belief) Words() string { return b.Statement }

// Check asks for a statement.
func (b *Belief) Check() error {
	return errors.Join(need("statement", b.Statement), word("type", b.Type))
}

func (*Belief) sealed() {}
