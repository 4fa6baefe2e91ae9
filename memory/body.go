package memory

// A Body is the part of a record that depends on its kind. The set is closed:
// to add one, write the struct and its line in kinds; the compiler and
// TestKinds find whatever else must change.
type Body interface {
	Kind() Kind
	Headline() string // one line, for lists, traces and packs
	Words() string    // what search and the embedder read
	Check() error     // is it valid on its own?
	sealed()
}

// A Claimer is a body that speaks of other records.
type Claimer interface {
	Body
	Subjects() []Ref // never empty for a claim that acts
}
