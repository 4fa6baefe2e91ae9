package anamnesis

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// Cited is what a document says of where it stands among others, by their ids.
type Cited struct {
	ID         string
	From       []string // what it was derived from, each once
	Supersedes string   // "" is nothing
	Depth      int64    // how many levels of sources it claims
}

// All returns everything that is cited, each once.
func (c Cited) All() []string {
	if c.Supersedes == "" || slices.Contains(c.From, c.Supersedes) {
		return c.From
	}
	return append(slices.Clip(c.From), c.Supersedes)
}

// Cited returns what d says of its lineage.
func (d *Document) Cited() Cited {
	c := Cited{ID: d.ID}
	l := d.Lineage
	if l == nil {
		return c
	}
	for _, id := range l.DerivedFrom {
		if !slices.Contains(c.From, id) {
			c.From = append(c.From, id)
		}
	}
	if l.Supersedes != nil {
		c.Supersedes = *l.Supersedes
	}
	if l.ChainDepth != nil {
		c.Depth = *l.ChainDepth
	}
	return c
}

// CitedBy returns what the document said that r was made from. It is false for what
// was made from none.
func CitedBy(r *memory.Record) (Cited, bool) {
	d := imported(r)
	if d == nil {
		return Cited{}, false
	}
	return d.Cited(), true
}

// IDOf returns the id under which a record is known in documents: that of the
// document it was made from, or else its own.
func IDOf(r *memory.Record) string {
	if c, ok := CitedBy(r); ok {
		return c.ID
	}
	return MemID(r.ID)
}

// Parents returns what stands in derived_from of r's document as far as it is known
// here. A record names what it replaces among its sources; a document that was
// imported need not have.
func Parents(r *memory.Record) []memory.Ref {
	p := &r.Header.Provenance
	c, ok := CitedBy(r)
	if !ok || slices.Contains(c.From, c.Supersedes) {
		return p.From
	}
	return slices.DeleteFunc(slices.Clone(p.From), func(ref memory.Ref) bool { return slices.Contains(p.Supersedes, ref) })
}
