package memory

// A Body is the part of a record that depends on its kind. The set is closed: each kind
// has one, in a file with its Form.
type Body interface {
	kind() Kind
	headline() string // one line, for lists, traces and packs
	words() string    // what search and the embedder read
	check() error     // is it valid on its own?
	write(w *writer)  // its members, as canon.Marshal would write them
	sealed()
}

// A claimer is a body that is about other records.
type claimer interface {
	Body
	subjects() []Ref // never empty for a claim that acts
}

// KindOf returns the kind of records with such a body.
func KindOf(b Body) Kind { return b.kind() }

// Headline returns b in one line.
func Headline(b Body) string { return b.headline() }

// Words returns what search reads of b.
func Words(b Body) string { return b.words() }

// Check returns what is wrong with b on its own.
func Check(b Body) error { return b.check() }

// Subjects returns the records that b is about, none if it is not a claim.
func Subjects(b Body) []Ref {
	if c, ok := b.(claimer); ok {
		return c.subjects()
	}
	return nil
}
