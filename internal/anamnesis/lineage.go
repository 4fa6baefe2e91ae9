package anamnesis

import (
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// addLineage puts what the record rests on and what replaced it into d. What an
// imported document said stays beside it.
func (in *RenderInput) addLineage(d *Document) {
	name := in.Name
	if name == nil {
		name = func(ref memory.Ref) string { return MemID(ref.ID) }
	}
	p := &in.Record.Header.Provenance
	if d.Lineage == nil {
		if len(p.From) == 0 && len(p.Supersedes) == 0 && in.SupersededBy.IsZero() {
			return
		}
		d.Lineage = &Lineage{ChainDepth: new(int64(0))}
	}
	l := d.Lineage
	for _, ref := range Parents(in.Record) {
		if id := name(ref); !slices.Contains(l.DerivedFrom, id) {
			l.DerivedFrom = append(l.DerivedFrom, id)
		}
	}
	if len(p.Supersedes) > 0 && (l.Supersedes == nil || *l.Supersedes == "") {
		l.Supersedes = new(name(p.Supersedes[0]))
	}
	if !in.SupersededBy.IsZero() {
		l.SupersededBy = new(name(in.SupersededBy))
	}
	if depth := int64(in.Depth); depth > 0 && (l.ChainDepth == nil || *l.ChainDepth < depth) {
		l.ChainDepth = &depth
	}
}
