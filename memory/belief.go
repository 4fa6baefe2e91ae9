package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindBelief is a statement held to be true.
const KindBelief Kind = "belief"

var beliefForm = Form{
	Kind: KindBelief, Number: 4, Layer: layerSemantic,
	New:     func() Body { return new(Belief) },
	OneLine: true,
	Blank:   func() Body { return &Belief{Type: "fact"} },
	Letter:  "B",
	Shape:   "diamond",
	Day:     "#73306a",
	Night:   "#d79fce",
	ANSI:    "34",
	Title:   "Statement",
	About:   "Statements held to be true",
	Group:   "facts",
	Types:   map[string][]string{"fact": nil, "principle": nil, "preference": nil, "opinion": nil},
	Examples: []string{
		`stemma belief "API endpoints should be RESTful" --type principle --confidence 0.85`,
		`stemma belief list --provenance`,
		`stemma belief show a04e --trace`,
		`stemma belief revise a04e "New API endpoints should be RESTful"`,
		`stemma belief history a04e`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Belief).Statement }},
		{
			Name: "type", In: func(b Body) any { return &b.(*Belief).Type },
			Usage: `fact, principle, preference, opinion, … (default "fact")`,
		},
	},
}

// Belief is something held to be true, with what it rests on in From.
type Belief struct {
	Statement string `json:"statement"`
	Type      string `json:"type,omitempty"` // fact, principle, preference, opinion, …
}

// kind is belief.
func (*Belief) kind() Kind { return KindBelief }

// headline returns the statement.
func (b *Belief) headline() string { return shorten.FirstLine(b.Statement) }

// words returns the statement.
func (b *Belief) words() string { return b.Statement }

// check asks for a statement.
func (b *Belief) check() error {
	return errors.Join(need("statement", b.Statement), word("type", b.Type))
}

func (*Belief) sealed() {}

func (b *Belief) write(w *writer) {
	w.say("statement", b.Statement)
	w.text("type", b.Type)
}

func (b *Belief) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "statement":
			b.Statement = s.text()
		case "type":
			b.Type = s.text()
		}
	})
}
