package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindGoal is something to reach.
const KindGoal Kind = "goal"

var goalForm = Form{
	Kind: KindGoal, Number: 6, Layer: layerIdentity,
	New:    func() Body { return new(Goal) },
	Blank:  func() Body { return &Goal{Priority: middlePriority} },
	Letter: "G",
	Day:    "#8a4a0a",
	Night:  "#e3a566",
	ANSI:   "35",
	Title:  "Goal",
	About:  "Goals and their progress",
	Examples: []string{
		`stemma goal "Ship the importer" --priority 80`,
		`stemma goal progress 3f9a 40%`,
		`stemma goal status 3f9a achieved`,
		`stemma goal list`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Goal).Title }},
		{Name: "type", In: func(b Body) any { return &b.(*Goal).Type }, Usage: "type of goal, in one word"},
		{
			Name: "description", In: func(b Body) any { return &b.(*Goal).Description },
			Usage: "details beyond the title", Section: "Description",
		},
		{Name: "priority", In: func(b Body) any { return &b.(*Goal).Priority }, Usage: "0 to 100 (default 50)"},
	},
}

// Goal is where we want to get. Its status and progress are claims.
type Goal struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Type        string `json:"type,omitempty"`
	Priority    int    `json:"priority"` // 0 to 100
}

// kind is goal.
func (*Goal) kind() Kind { return KindGoal }

// headline returns the title.
func (b *Goal) headline() string { return shorten.FirstLine(b.Title) }

// words returns the title and the description.
func (b *Goal) words() string { return joined(b.Title, b.Description) }

// check asks for a title.
func (b *Goal) check() error {
	return errors.Join(need("title", b.Title), text("description", b.Description), word("type", b.Type),
		checkRange("priority", b.Priority, 0, maxPriority))
}

func (*Goal) sealed() {}

func (b *Goal) write(w *writer) {
	w.text("description", b.Description)
	w.number("priority", int64(b.Priority))
	w.say("title", b.Title)
	w.text("type", b.Type)
}
