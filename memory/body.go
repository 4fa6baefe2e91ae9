package memory

import "encoding/json"

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

// Opaque is the body of a kind or version this binary does not know: kept,
// verified, stored and synced as it came.
type Opaque struct {
	kind Kind
	json.RawMessage
}

// Kind gives the kind as the header names it.
func (o *Opaque) Kind() Kind { return o.kind }

// Headline says that the kind is unknown here.
func (o *Opaque) Headline() string { return "(" + string(o.kind) + " of a newer version)" }

// Words is empty: what is not understood is not searched.
func (o *Opaque) Words() string { return "" }

// Check accepts whatever came: its maker knows better.
func (o *Opaque) Check() error { return nil }
func (*Opaque) sealed()        {}
