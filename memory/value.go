package memory

import "errors"

// KindValue is a principle.
const KindValue Kind = "value"

var valueForm = Form{
	Kind: KindValue, Number: 5, Layer: layerIdentity,
	New:       func() Body { return new(Value) },
	Protected: true,
	Blank:     func() Body { return &Value{Priority: middlePriority} },
	Letter:    "V",
	Shape:     "diamond",
	Day:       "#0e6657",
	Night:     "#74c6b4",
	ANSI:      "35",
	Title:     "Value",
	About:     "Principles that outrank everything else",
	Examples: []string{
		`stemma value "Say what was measured" --priority 90`,
		`stemma value list`,
	},
	Fields: []Field{
		{Name: "name", Usage: "short name; the text is the statement"},
		{Name: "text", Section: "Statement"},
		{Name: "priority", In: func(b Body) any { return &b.(*Value).Priority }, Usage: "0 to 100 (default 50)"},
	},
}

// maxPriority is the highest priority of a value or a goal.
const maxPriority = 100

// middlePriority is the priority of one that says none.
const middlePriority = 50

// Value is a principle of the highest authority: layer 3.
type Value struct {
	Name      string `json:"name"`
	Statement string `json:"statement,omitempty"`
	Priority  int    `json:"priority"` // 0 to 100
}

// kind is value.
func (*Value) kind() Kind { return KindValue }

// headline returns the name and what it says.
func (b *Value) headline() string { return titled(b.Name, b.Statement) }

// words returns the name and the statement.
func (b *Value) words() string { return joined(b.Name, b.Statement) }

// check asks for a name.
func (b *Value) check() error {
	return errors.Join(need("name", b.Name), text("statement", b.Statement),
		checkRange("priority", b.Priority, 0, maxPriority))
}

func (*Value) sealed() {}

func (b *Value) write(w *writer) {
	w.say("name", b.Name)
	w.number("priority", int64(b.Priority))
	w.text("statement", b.Statement)
}
