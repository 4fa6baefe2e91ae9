package memory

import "errors"

// Relationship is what we know of somebody or something that acts.
type Relationship struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"` // person, agent, organisation, project or topic
	Description string `json:"description,omitempty"`
	Sentiment   int    `json:"sentiment,omitempty"` // -1000 to 1000, in thousandths
}

// RelationshipTypes are what a relationship can be with.
var RelationshipTypes = []string{"person", "agent", "organisation", "project", "topic"}

// Kind is relationship.
func (*Relationship) Kind() Kind { return KindRelationship }

// Headline returns the name and what we know.
func (b *Relationship) Headline() string { return titled(b.Name, b.Description) }

// Words returns the name and what we know.
func (b *Relationship) Words() string { return joined(b.Name, b.Description) }

// Check asks for a name.
func (b *Relationship) Check() error {
	return errors.Join(need("name", b.Name), textUpTo("name", b.Name, MaxNameBytes),
		oneOf("type", b.Type, RelationshipTypes), text("description", b.Description),
		checkRange("sentiment", b.Sentiment, -thousand, thousand))
}

func (*Relationship) sealed() {}

// Playbook is how we do things: procedural memory. Its uses and successes are
// claims.
type Playbook struct {
	Name         string   `json:"name"`
	When         string   `json:"when,omitempty"` // the situation it is for
	Steps        []string `json:"steps,omitempty"`
	FailureModes []string `json:"failure_modes,omitempty"`
	Recovery     []string `json:"recovery,omitempty"`
}

// Kind is playbook.
func (*Playbook) Kind() Kind { return KindPlaybook }

// Headline returns the name and the situation.
func (b *Playbook) Headline() string { return titled(b.Name, b.When) }

// Words returns everything that was written.
func (b *Playbook) Words() string {
	return joined(b.Name, b.When, list(b.Steps), list(b.FailureModes), list(b.Recovery))
}

// Check asks for a name.
func (b *Playbook) Check() error {
	return errors.Join(need("name", b.Name), text("when", b.When), lines("steps", b.Steps),
		lines("failure_modes", b.FailureModes), lines("recovery", b.Recovery))
}

func (*Playbook) sealed() {}
