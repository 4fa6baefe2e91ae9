package memory

import "errors"

// maxPriority is the highest priority of a value or a goal.
const maxPriority = 100

// Value is a principle of the highest authority: layer 3.
type Value struct {
	Name      string `json:"name"`
	Statement string `json:"statement,omitempty"`
	Priority  int    `json:"priority"` // 0 to 100
}

// Kind is value.
func (*Value) Kind() Kind { return KindValue }

// Headline returns the name and what it says.
func (b *Value) Headline() string { return titled(b.Name, b.Statement) }

// Words returns the name and the statement.
func (b *Value) Words() string { return joined(b.Name, b.Statement) }

// Check asks for a name.
func (b *Value) Check() error {
	return errors.Join(need("name", b.Name), text("statement", b.Statement),
		checkRange("priority", b.Priority, 0, maxPriority))
}

func (*Value) sealed() {}

// Goal is where we want to get. Its status and progress are claims.
type Goal struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Type        string `json:"type,omitempty"`
	Priority    int    `json:"priority"` // 0 to 100
}

// Kind is goal.
func (*Goal) Kind() Kind { return KindGoal }

// Headline returns the title.
func (b *Goal) Headline() string { return FirstLine(b.Title) }

// Words returns the title and the description.
func (b *Goal) Words() string { return joined(b.Title, b.Description) }

// Check asks for a title.
func (b *Goal) Check() error {
	return errors.Join(need("title", b.Title), text("description", b.Description), word("type", b.Type),
		checkRange("priority", b.Priority, 0, maxPriority))
}

func (*Goal) sealed() {}

// Drive is what moves us, and how strongly.
type Drive struct {
	Type      string   `json:"type"`
	Intensity int      `json:"intensity"` // 0 to 1000, in thousandths
	Focus     []string `json:"focus,omitempty"`
}

// Kind is drive.
func (*Drive) Kind() Kind { return KindDrive }

// Headline returns the type and what it is about.
func (b *Drive) Headline() string {
	if len(b.Focus) == 0 {
		return b.Type
	}
	return titled(b.Type, b.Focus[0])
}

// Words returns the type and the focus.
func (b *Drive) Words() string { return joined(b.Type, list(b.Focus)) }

// Check asks for a type.
func (b *Drive) Check() error {
	return errors.Join(need("type", b.Type), checkRange("intensity", b.Intensity, 0, thousand), lines("focus", b.Focus))
}

func (*Drive) sealed() {}

// titled is "name: text" on one line.
func titled(name, text string) string {
	if text == "" {
		return FirstLine(name)
	}
	return FirstLine(name) + ": " + FirstLine(text)
}
