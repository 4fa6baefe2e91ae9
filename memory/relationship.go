package memory

import (
	"errors"
	"strings"
)

// KindRelationship is what is known about a person, an agent or a project.
const KindRelationship Kind = "relationship"

var relationshipForm = Form{
	Kind: KindRelationship, Number: 8, Layer: layerSupport,
	New:     func() Body { return new(Relationship) },
	OneLine: true,
	Letter:  "&",
	Day:     "#475691",
	Night:   "#a6b3ea",
	ANSI:    "36",
	Title:   "Who",
	About:   "What is known about people, agents and projects",
	Group:   "people",
	Examples: []string{
		`stemma relationship "Alice" --type person --description "runs the platform team" --sentiment 0.6`,
		`stemma relationship history Alice`,
		`stemma relationship list`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Relationship).Name }},
		{
			Name: "type", In: func(b Body) any { return &b.(*Relationship).Type },
			Usage: strings.Join(RelationshipTypes, ", "),
		},
		{
			Name: "description", In: func(b Body) any { return &b.(*Relationship).Description },
			Usage: "what you know about them", Section: "Description",
		},
		{
			Name: "sentiment", In: func(b Body) any { return &b.(*Relationship).Sentiment }, Least: -1, Most: 1,
			Usage: "-1 to 1",
		},
	},
}

// Relationship is what we know of somebody or something that acts.
type Relationship struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"` // person, agent, organisation, project or topic
	Description string `json:"description,omitempty"`
	Sentiment   int    `json:"sentiment,omitempty"` // -1000 to 1000, in thousandths
}

// RelationshipTypes are what a relationship can be with.
var RelationshipTypes = []string{"person", "agent", "organisation", "project", "topic"}

// kind is relationship.
func (*Relationship) kind() Kind { return KindRelationship }

// headline returns the name and what we know.
func (b *Relationship) headline() string { return titled(b.Name, b.Description) }

// words returns the name and what we know.
func (b *Relationship) words() string { return joined(b.Name, b.Description) }

// check asks for a name.
func (b *Relationship) check() error {
	return errors.Join(need("name", b.Name), textUpTo("name", b.Name, MaxNameBytes),
		oneOf("type", b.Type, RelationshipTypes), text("description", b.Description),
		checkRange("sentiment", b.Sentiment, -thousand, thousand))
}

func (*Relationship) sealed() {}

func (b *Relationship) write(w *writer) {
	w.text("description", b.Description)
	w.say("name", b.Name)
	w.count("sentiment", int64(b.Sentiment))
	w.text("type", b.Type)
}
