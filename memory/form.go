package memory

// A Form describes a kind: everything about it that is not in a body. Whatever lists,
// draws, asks for, stores or writes down memories of every kind reads it here.
type Form struct {
	Kind   Kind
	Number int // in the tables of a store; memories have 1 to 99; never used twice
	Layer  int

	Protected bool            // never decays unless asked
	OneLine   bool            // two that say the same share a line where memories are given
	Served    bool            // it is put to use, and its uses and successes are counted
	From      func(Kind) bool // what it may be derived from; nil is any memory

	New    func() Body // an empty body
	Blank  func() Body // a body of which nothing was said yet; nil is New
	Fields []Field     // what a draft can say, in the order of its members; none: it is not drafted

	Letter, Shape string   // how it is drawn: square, diamond, page or circle ("")
	Day, Night    string   // its colour on light and on dark ground, as in CSS
	ANSI          string   // its colour on a terminal
	Title         string   // of the column with its words
	About         string   // what memories of this kind are, in a line
	Several       []string // words for several of them in a question; none is the kind with an s
	Group         string   // the heading of a list of them; "" is the first of these words
	// Types are types of the kind for all of which a question may ask, with words for several of a type; none is the
	// type with an s. The first word is the heading of a list of them.
	Types    map[string][]string
	Examples []string // commands that a person could type; the first one adds a memory
}

// A Field is a member of a draft of one kind.
type Field struct {
	Name        string         // in a draft, such as "failure_modes"
	In          func(Body) any // a *string, a *[]string or an *int of a body; nil: more than one member holds it
	Least, Most float64        // bounds of a decimal, of which the body has thousandths; 0 and 0: no decimal
	Commas      bool           // the entries of a list may be separated by commas
	Flag        string         // on the command line; "" is the name
	Usage       string         // of the flag; "" is no flag
	Section     string         // its heading where a memory is a text file; "" is none
}

// Decimal reports whether drafts have the field as a decimal.
func (f *Field) Decimal() bool { return f.Most > 0 }

// At returns where a body has a field; nil if it has none of this name, or is of a newer
// version of the kind.
func (f *Form) At(name string, b Body) any {
	if _, unknown := b.(*Opaque); unknown {
		return nil
	}
	for i := range f.Fields {
		if f.Fields[i].Name == name && f.Fields[i].In != nil {
			return f.Fields[i].In(b)
		}
	}
	return nil
}
